"""The fast kernel: movement and whole phases over flat integers, in Python and compiled.

`batch` is the entry for bots and research, `layout` describes its rows, `values` decides one
position of ordinary values, `chosen` tells which of the two kernels serves. Both follow the
rules of 2000 and 2023; other rule sets are the general resolver's alone.
"""
