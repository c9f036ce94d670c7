cimport cython

from diplomaccloud.judge.kernel.core cimport codes, native
from . cimport doubles
from .pulls cimport Pulls
from diplomaccloud.judge.kernel.core.state cimport State
from diplomaccloud.judge.kernel.core.tables cimport Tables


@cython.final
cdef class Policy:
    cdef Tables tables
    cdef State state
    cdef Pulls pulls
    cdef list keep
    cdef int *given
    cdef int *options
    cdef double *ratings
    cdef int *truces
    cdef int[528] queue, mover
    cdef double heat, tolerance
    cdef int power, option_count
    cdef void open_orders(self) noexcept nogil
    cdef void close_orders(self) noexcept nogil
    cdef void open_state(self) noexcept nogil
    cdef void choose_orders(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef void choose_power(
        self, int power, unsigned long long *seeds, Py_ssize_t n
    ) noexcept nogil
    cdef int find_units(self) noexcept nogil
    cdef bint goes(self, int p) noexcept nogil
    cdef void shuffle(self, int count, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef void give(self, int here, int code, int target, int to) noexcept nogil
    cdef void add_option(self, int option, double rating) noexcept nogil
    cdef void remove_option(self, int chosen) noexcept nogil
    @cython.locals(rating=cython.double, loss=cython.double)
    cdef int pick(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef bint happens(
        self, double chance, unsigned long long *seeds, Py_ssize_t n
    ) noexcept nogil
    @cython.locals(waits=cython.int, first=cython.int)
    cdef void choose_moves(
        self, int count, unsigned long long *seeds, Py_ssize_t n
    ) noexcept nogil
    cdef int choose_move(
        self, int here, bint may_wait, unsigned long long *seeds, Py_ssize_t n
    ) noexcept nogil
    cdef bint is_own(self, int p) noexcept nogil
    cdef void rank_moves(self, int here) noexcept nogil
    cdef bint is_spared(self, int p) noexcept nogil
    cdef bint enter(self, int here, int place, bint friend) noexcept nogil
    cdef void support_mover(self, int here, int p) noexcept nogil
    @cython.locals(most=cython.double, rating=cython.double)
    cdef void choose_support(self, int here) noexcept nogil
    cdef void choose_retreat(
        self, int here, unsigned long long *seeds, Py_ssize_t n
    ) noexcept nogil
    cdef void choose_builds(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef void remove_site(self, int p) noexcept nogil
    cdef void choose_disbands(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef bint fits(self, const int *forced) noexcept nogil
    cdef void read_orders(self, const int *forced) noexcept nogil
