cimport cython

from . cimport codes, native
from .convoys cimport Convoys
from .state cimport State
from .tables cimport Tables


@cython.final
cdef class Listing:
    cdef Tables tables
    cdef State state
    cdef Convoys convoys
    cdef list keep
    cdef int[528] fields
    cdef long long *goals
    cdef Py_ssize_t count, room
    cdef int *rows
    cdef bint is_full, lists_none
    cdef void add_order(self, int here, int code, int target, int to) noexcept nogil
    cdef void list_orders(self) noexcept nogil
    cdef void open_fleets(self) noexcept nogil
    cdef void list_movement(self) noexcept nogil
    cdef void list_moves(self, int here) noexcept nogil
    cdef void list_supports(self, int here) noexcept nogil
    cdef void list_supports_of_fleet(self, int here, int other) noexcept nogil
    cdef void list_supports_of_army(self, int here, int other) noexcept nogil
    cdef void list_convoys(self, int here) noexcept nogil
    cdef int find_sea(self, int here) noexcept nogil
    cdef bint has_order(self, int here, int code, int target, int to) noexcept nogil
    cdef bint could_move(self, int here, int to, int barred) noexcept nogil
    cdef void list_retreats(self) noexcept nogil
    cdef void list_adjustments(self) noexcept nogil
    cdef void list_none(self, int here) noexcept nogil
    cdef void list_builds(self, int here) noexcept nogil
