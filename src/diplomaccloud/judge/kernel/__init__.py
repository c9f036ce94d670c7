"""The fast kernel: movement and whole phases over flat integers, in Python and compiled.

`batch` is the entry point for bots and research, `layout` describes its rows, `values` resolves
one position of ordinary values, and `selection` chooses between the two kernels. Both follow the
rules of 2000 and 2023; all other rule sets need the general resolver.
"""
