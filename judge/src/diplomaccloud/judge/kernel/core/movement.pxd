cimport cython

from . cimport codes
from .matched_orders cimport MatchedOrders


@cython.final
cdef class Movement(MatchedOrders):
    cdef int path_state(self, int i) noexcept nogil
    cdef int convoy_used(self, int i) noexcept nogil
    cdef int opposed(self, int i) noexcept nogil
    cdef int route_state(self, int army) noexcept nogil
    cdef int every_route_state(self, int army) noexcept nogil
    cdef int path_without(self, int army, int fleet) noexcept nogil
    cdef int convoy_state(self, int i) noexcept nogil
    cdef int cuts(self, int attacker, int supporter) noexcept nogil
    cdef int spares_support(self, int attacker, int supporter) noexcept nogil
    cdef int support_state(self, int i) noexcept nogil
    cdef int supported_strength(self, int i, int without) noexcept nogil
    cdef int strength_against(self, int i, int target) noexcept nogil
    cdef int attack_strength(self, int i, int target) noexcept nogil
    cdef int find_silencer(self, int i) noexcept nogil
    cdef int is_silenced(self, int i) noexcept nogil
    cdef int prevent_strength(self, int i) noexcept nogil
    cdef int resistance(self, int i, int target) noexcept nogil
    cdef int move_state(self, int i) noexcept nogil
    cdef int draw_conclusions(self) noexcept nogil
    cdef bint try_all_moves(self) noexcept nogil
    cdef void settle_routes(self) noexcept nogil
    cdef int find_outcome(self, int i) noexcept nogil
    cdef int find_results(self) noexcept nogil
    cdef bint is_standoff(self, int to) noexcept nogil
    cdef int find_place(self, int i) noexcept nogil
    cdef int pack_unit(self, int i, int place) noexcept nogil
