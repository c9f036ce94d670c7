"""The fast kernel: movement and whole phases over flat integers, run as Python or compiled.

`selection.KERNEL` has its functions: those of `core.values` for single positions of ordinary
values, which return `values`, and those of `core.batches` for the rows that `layout` describes. The
kernel has all rules of movement; `supported_rules` says which switches it leaves to
`judge.legality` and to the judge's other phases.
"""
