cimport cython

from . cimport codes, native
from .cycles cimport Cycle
from .movement cimport Movement
from .state cimport State
from .tables cimport Tables


@cython.final
cdef class Judge:
    cdef Tables tables
    cdef State state
    cdef Movement movement
    cdef Cycle cycle
    cdef list keep
    cdef int removal
    cdef bint by_pieces
    cdef int[528] arrivals, goals, distance, queue
    cdef int *counts
    cdef void use_rules(self, int rules) noexcept nogil
    cdef void adjudicate_phase(
        self, const int *orders, Py_ssize_t first, int *outcomes, int *dislodgers, Py_ssize_t at
    ) noexcept nogil
    cdef void load_orders(self, const int *orders, Py_ssize_t first) noexcept nogil
    cdef bint adjudicate_moves(
        self, const int *orders, Py_ssize_t first, int *outcomes, int *dislodgers, Py_ssize_t at
    ) noexcept nogil
    cdef bint record_dislodged(self) noexcept nogil
    cdef void adjudicate_retreats(self, const int *orders, Py_ssize_t first) noexcept nogil
    cdef bint close_year(self) noexcept nogil
    cdef void find_winner_by_pieces(self) noexcept nogil
    cdef void adjudicate_adjustments(self, const int *orders, Py_ssize_t first) noexcept nogil
    cdef void build_units(
        self, int power, int count, const int *orders, Py_ssize_t first
    ) noexcept nogil
    cdef void disband_units(
        self, int power, int count, const int *orders, Py_ssize_t first
    ) noexcept nogil
    cdef int find_distance(self, int power, int p) noexcept nogil
    cdef bint is_removed_sooner(self, int p, int other) noexcept nogil
    cdef void measure_distances(self, int power) noexcept nogil
