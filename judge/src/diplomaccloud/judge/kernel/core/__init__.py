"""The rules over flat integers: the kernel, as Python and compiled.

These files are plain Python, and run as they are. Where a C compiler is available, Cython compiles
the same files with the types in the `.pxd` files beside them; see `judge/kernel_compiler.py`. So
that both do the same, integers stay within 32 bits and masks within 63, no index is negative, and
no negative number is divided. `native` is written differently in C.
"""
