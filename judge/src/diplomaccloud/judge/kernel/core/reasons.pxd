cimport cython

from . cimport codes
from .reason_rows cimport ReasonRow


@cython.final
cdef class Reasons(ReasonRow):
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
