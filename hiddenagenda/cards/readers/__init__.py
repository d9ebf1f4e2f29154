"""Readers for the files of cards that players keep: one module a format, each from a stream to rows.

SPEC "Names". Streams are handed in, opened by others, and read once, a piece at a time, however long they are. The
format is told from the content and never from a file's name. What a file says is believed about names only.
"""
