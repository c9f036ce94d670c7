"""The bots' policy and the choices of learning programs, over flat integers.

The files are compiled together with the judge's, as `judge.kernel.core` describes it.
"""
