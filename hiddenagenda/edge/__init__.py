"""The only input and output of the library: files, keys, sockets."""
