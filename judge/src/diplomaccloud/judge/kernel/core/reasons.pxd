cimport cython

from . cimport codes, native
from .movement cimport Movement


@cython.final
cdef class Reasons:
    cdef Movement movement
    cdef list keep
    cdef int *row
    cdef int *found
    cdef int *causes
    cdef int count, found_count, cause_count
    cdef void add(self, int number) noexcept
    cdef void add_unit(self, int i) noexcept
    cdef void say(self, int statement, int about) noexcept
    cdef void say_unit(self, int statement, int i, int place) noexcept
    cdef void add_strengths(self, int strength, int resistance) noexcept
    cdef void add_found(self) noexcept
    cdef void find(self, int i) noexcept
    cdef void blame(self, int i) noexcept
    cdef void blame_found(self) noexcept
    cdef int measure_support(self, int i) noexcept
    cdef int measure_attack(self, int i) noexcept
    cdef int measure_hold(self, int i) noexcept
    cdef int measure_defense(self, int i, int attacker) noexcept
    cdef int measure_prevention(self, int i) noexcept
    cdef void explain_order(self, int i) noexcept
    @cython.locals(strength=cython.int, attack=cython.int)
    cdef void explain_hold(self, int i) noexcept
    @cython.locals(alone=cython.bint, known=cython.bint, statement=cython.int)
    cdef void add_dislodgment(self, int i, int dislodger) noexcept
    @cython.locals(by_sea=cython.bint)
    cdef void explain_move(self, int i, int dislodger) noexcept
    @cython.locals(met=cython.bint, statement=cython.int, void=cython.bint)
    cdef void explain_bounce(self, int i, int dislodger) noexcept
    @cython.locals(most=cython.int, strength=cython.int)
    cdef int find_rivals(self, int i) noexcept
    cdef void say_rivals(self, int i, int strength, int most) noexcept
    cdef void explain_support(self, int i, int dislodger) noexcept
    cdef void find_cutters(self, int i) noexcept
    cdef void say_mismatch(self, int i, int target) noexcept
    @cython.locals(statement=cython.int)
    cdef void explain_convoy(self, int i) noexcept
    cdef bint is_on_open_route(self, int i, int army) noexcept
    @cython.locals(found=cython.bint)
    cdef bint has_ordered_chain(self, int army) noexcept
    cdef void find_failed_fleets(self, int army, int in_paradox) noexcept
    cdef void blame_failed_fleets(self, int army) noexcept
    cdef void say_failed_fleets(self, int army, int dislodged, int in_paradox) noexcept
    @cython.locals(goal=cython.int, by_sea=cython.bint, spared=cython.int, arrives=cython.int)
    cdef void list_facts(self, int i) noexcept
