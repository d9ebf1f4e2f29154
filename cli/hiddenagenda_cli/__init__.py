"""The command line: it parses, calls the library, and prints."""

import gc

# What is imported is no garbage, and to look for some takes a sixth of a short run. ``main`` enables it again.
gc.disable()
