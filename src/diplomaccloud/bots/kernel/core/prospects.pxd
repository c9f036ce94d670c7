cimport cython

from diplomaccloud.judge.kernel.core cimport codes, native
from . cimport doubles
from diplomaccloud.judge.kernel.core.state cimport State
from diplomaccloud.judge.kernel.core.tables cimport Tables


@cython.final
cdef class Prospects:
    cdef Tables tables
    cdef State state
    cdef list keep
    cdef int center_count
    cdef int *centers
    cdef double *influence
    cdef double *held
    cdef double *expected
    @cython.locals(total=cython.double)
    cdef void measure(self, double *values, Py_ssize_t at) noexcept nogil
    @cython.locals(row=cython.Py_ssize_t)
    cdef void find_influences(self) noexcept nogil
    @cython.locals(total=cython.double, mine=cython.double)
    cdef void expect_centers(self) noexcept nogil
