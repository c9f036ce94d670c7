cimport cython

from . cimport native


@cython.final
cdef class Builder:
    cdef object kind
    cdef tuple fields
