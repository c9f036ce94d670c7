cimport cython

from diplomaccloud.judge.kernel.core cimport codes, native
from . cimport doubles
from diplomaccloud.judge.kernel.core.state cimport State
from diplomaccloud.judge.kernel.core.tables cimport Tables


@cython.final
cdef class Pulls:
    cdef Tables tables
    cdef State state
    cdef list keep
    cdef int center_count, land_count, sail_count, side_count, power
    cdef int *centers
    cdef int *attack
    cdef int *defense
    cdef double *weights
    cdef int *lands
    cdef int *sails
    cdef int *steps_at
    cdef int *steps
    cdef int *sides_at
    cdef int *sides
    cdef double *level
    cdef double *wider
    cdef double *base
    cdef double *shared
    cdef double *worth
    cdef int *strength
    cdef int *sizes
    cdef int[528] most, leader, runner_up, threat, looming, next_threat, shield
    cdef double *army_pulls
    cdef void spread_centers(self) noexcept nogil
    @cython.locals(total=cython.double)
    cdef void walk(self, double weight, Py_ssize_t at) noexcept nogil
    @cython.locals(total=cython.double, best=cython.double, other=cython.double)
    cdef void sail(self, double weight) noexcept nogil
    @cython.locals(base=cython.double, at=cython.Py_ssize_t)
    cdef void open_state(self) noexcept nogil
    cdef int find_season(self) noexcept nogil
    cdef int find_size(self, int owner) noexcept nogil
    cdef void measure_powers(self) noexcept nogil
    cdef void count_units(self) noexcept nogil
    cdef void count_unit(self, int power, int p) noexcept nogil
    cdef void add_threat(self, int power, int p) noexcept nogil
    @cython.locals(change=cython.double, at=cython.Py_ssize_t)
    cdef void open_power(self, int power) noexcept nogil
    cdef bint needs_fleets(self) noexcept nogil
    cdef void spread_fleets(self) noexcept nogil
    cdef int find_threat(self, int p) noexcept nogil
    cdef int find_rivals(self, int p) noexcept nogil
    cdef double find_worth(self, int row) noexcept nogil
