cimport cython

from . cimport codes, native
from .tables cimport Tables


@cython.final
cdef class Convoys:
    cdef Tables tables
    cdef list keep
    cdef long long *connected
    cdef long long *by_sea
    cdef long long *needed
    cdef long long *chain
    cdef long long *free
    cdef long long *ways
    cdef long long *landed
    cdef long long[9] fleets, usable, fresh, onward, reached, goals
    cdef int steps, chain_start, route_count, route_room
    cdef int *routes
    cdef long long *route_seas
    cdef bint is_full
    cdef void clear_fleets(self) noexcept nogil
    cdef void add_fleet(self, int sea) noexcept nogil
    cdef bint find_connected(self, int start) noexcept nogil
    cdef void find_landings(self, int start) noexcept nogil
    cdef void use_fleets(self, int barred) noexcept nogil
    cdef bint can_carry(self, int start, int goal, int barred) noexcept nogil
    cdef bint open_convoys(self, int start) noexcept nogil
    cdef void find_chains(self, int start) noexcept nogil
    cdef void follow_chain(self, int last, int step) noexcept nogil
    cdef long long get_needed(self, int start, int goal, int word) noexcept nogil
    cdef bint needs_fleet(self, int start, int goal, int sea) noexcept nogil
    cdef void add_routes(self, int start) noexcept nogil
    cdef void add_route(self, int start, int goal) noexcept nogil
