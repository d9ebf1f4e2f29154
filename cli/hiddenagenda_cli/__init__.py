"""The command line of hiddenagenda: parse, call one function of the library, print what it returned."""
