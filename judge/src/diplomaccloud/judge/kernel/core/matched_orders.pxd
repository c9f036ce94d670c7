cimport cython

from . cimport codes, native
from .convoys cimport Convoys
from .tables cimport Tables


cdef class MatchedOrders:
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
    @cython.final
    cdef bint has_chain(self, int army, int most) noexcept nogil
