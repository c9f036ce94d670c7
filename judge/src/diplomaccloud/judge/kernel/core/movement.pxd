cimport cython

from . cimport codes, native
from .convoys cimport Convoys
from .tables cimport Tables


@cython.final
cdef class Movement:
    cdef Tables tables
    cdef Convoys search
    cdef int rules, paradox, intent, path_rule
    cdef bint spares, reroutes
    cdef int size
    cdef int[528] place, kind, power, code, target, to
    cdef int[528] here, goal, at
    cdef int[528] opponent, support_into, cargo, routed, answers
    cdef int[528] rivals, next_rival, supporters, next_supporter, fleets, next_fleet, on_route
    cdef int[528] barred, paradox_failed, paradox_stopped, outcome, dislodger
    cdef int[528] moves, supports, convoys, movers
    cdef int move_count, support_count, convoy_count, mover_count, either_count
    cdef long long[9] reached
    cdef void use_rules(self, int rules) noexcept nogil
    cdef void match_orders(self) noexcept nogil
    @cython.locals(barred=cython.bint, walks=cython.bint)
    cdef void match_convoys(self, int convoys) noexcept nogil
    @cython.final
    cdef bint may_walk(self, int army) noexcept nogil
    @cython.locals(via=cython.bint, swaps=cython.bint, own=cython.bint, meant=cython.bint)
    cdef bint means_convoy(self, int i) noexcept nogil
    cdef bint has_own_fleet(self, int i) noexcept nogil
    cdef bint is_connected(self, int army) noexcept nogil
    cdef void answer_fleets(self, int army, int answer) noexcept nogil
    cdef void mark_routes(self, int army, int without) noexcept nogil
    cdef void match_supports(self) noexcept nogil
    cdef bint has_chain(self, int army, int most) noexcept nogil
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
