"""The fast kernel: movement and whole phases over flat integers, run as Python or compiled.

`layout` describes the rows of `judge.batch`, `values` resolves a single position made of ordinary
values, `core` has the rules, and `selection` chooses between Python and the compiled kernel. The
kernel has all rules of movement; `supported_rules` says which switches it leaves to
`judge.legality` and to the judge's other phases.
"""
