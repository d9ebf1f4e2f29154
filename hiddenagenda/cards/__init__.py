"""What counts as a card name, and what a player may have meant by the letters typed.

SPEC "Names". Tables of names are handed in as buffers; this package opens nothing. It never decides that
somebody cheated: names give remarks, suggestions and warnings, and what convicts is read from signed lines
alone.
"""
