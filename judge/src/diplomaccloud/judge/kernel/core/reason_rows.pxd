cimport cython

from . cimport codes, native
from .movement cimport Movement


cdef class ReasonRow:
    cdef Movement movement
    cdef list keep
    cdef int *row
    cdef int *found
    cdef int *causes
    cdef int count, found_count, cause_count
    @cython.final
    cdef void add(self, int number) noexcept
    @cython.final
    cdef void add_unit(self, int i) noexcept
    @cython.final
    cdef void say(self, int statement, int about) noexcept
    @cython.final
    cdef void say_unit(self, int statement, int i, int place) noexcept
    @cython.final
    cdef void add_strengths(self, int strength, int resistance) noexcept
    @cython.final
    cdef void add_found(self) noexcept
    @cython.final
    cdef void find(self, int i) noexcept
    @cython.final
    cdef void blame(self, int i) noexcept
    @cython.final
    cdef void blame_found(self) noexcept
    @cython.final
    cdef int measure_support(self, int i) noexcept
    @cython.final
    cdef int measure_attack(self, int i) noexcept
    @cython.final
    cdef int measure_hold(self, int i) noexcept
    @cython.final
    cdef int measure_defense(self, int i, int attacker) noexcept
    @cython.final
    cdef int measure_prevention(self, int i) noexcept
