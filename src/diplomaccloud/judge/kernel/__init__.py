"""The fast kernel: movement and whole phases over flat integers, run as Python or compiled.

`batch` is the entry point for bots and research, `layout` describes its rows, `values` resolves
one position of ordinary values, `core` has the rules, and `selection` chooses whether they run
compiled. They have the rules of every edition; `supported_rules` says which switches need the
general resolver.
"""
