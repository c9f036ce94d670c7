cimport cython

from . cimport codes, native
from .tables cimport Tables


@cython.final
cdef class State:
    cdef Tables tables
    cdef int year, phase, winner
    cdef int[528] unit, dislodged, source, contested, owner
    cdef int[1024] options
    cdef int[528] sites, standing
    cdef int standing_count
    cdef int *balance
    cdef list keep
    cdef bint load(self, const int *rows, Py_ssize_t at) noexcept nogil
    cdef void store(self, int *rows, Py_ssize_t at) noexcept nogil
    cdef void find_standing(self) noexcept nogil
    cdef bint fits(self, int p, int unit) noexcept nogil
    cdef void clear_dislodged(self) noexcept nogil
    cdef bint is_movement_phase(self) noexcept nogil
    cdef bint is_retreat_phase(self) noexcept nogil
    cdef bint is_adjustment_phase(self) noexcept nogil
    cdef void go_on(self) noexcept nogil
    cdef int row_of(self, int unit) noexcept nogil
    cdef int find_retreats(self, int here) noexcept nogil
    cdef int find_build_sites(self, int power) noexcept nogil
    cdef bint has_build(self, int p) noexcept nogil
    cdef bint find_owed(self) noexcept nogil
