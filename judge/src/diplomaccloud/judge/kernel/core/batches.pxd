cimport cython

from . cimport codes, native
from .listing cimport Listing
from .phases cimport Judge
from .reasons cimport Reasons
from .state cimport State
from .tables cimport Tables


@cython.final
cdef class Workspace:
    cdef Tables tables
    cdef Judge judge
    cdef State state
    cdef Listing listing
    cdef Reasons reasons
    cdef list keep
    cdef int *given
    cdef int *spare
    cdef int *standing
    cdef int *closed
    cdef int[528] firsts
    cdef int read_code, read_target, read_to, key_room, foreign
    cdef bint must_read
    cdef dict paths, place_of, power_of
    cdef object units
    cdef long long *keys
    cdef Py_ssize_t adjudicate_states(
        self,
        const int *states,
        const int *orders,
        int *after,
        int *outcomes,
        int *dislodgers,
        Py_ssize_t count,
    ) noexcept nogil
    cdef Py_ssize_t list_states(
        self, const int *states, int *starts, Py_ssize_t count
    ) noexcept nogil
    cdef Py_ssize_t draw_states(
        self, const int *states, unsigned long long *seeds, int *orders, Py_ssize_t count
    ) noexcept nogil
    cdef Py_ssize_t play_states(
        self,
        int *states,
        unsigned long long *seeds,
        int phases,
        const int *start,
        Py_ssize_t count,
    ) noexcept nogil
    cdef void draw_orders(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef int count_options(self, Py_ssize_t first) noexcept nogil
    cdef void make_key_room(self, int count) noexcept nogil
    @cython.locals(key=cython.longlong)
    cdef void sort_options(self, Py_ssize_t first, int options) noexcept nogil
    cdef void give_order(self, Py_ssize_t k) noexcept nogil
    cdef void draw_adjustments(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef int find_owner(self, int p) noexcept nogil

cdef Workspace borrow_workspace(table)
cdef int return_workspace(table, Workspace work) except -1
cpdef adjudicate(table, states, orders, after, outcomes, dislodgers, int rules=*)
cpdef list_batch(table, states)
cpdef random_orders(table, states, seeds, orders)
cpdef play(table, states, seeds, int phases, start)
