from diplomaccloud.judge.kernel.core cimport codes, native
from . cimport doubles
from diplomaccloud.judge.kernel.core.phases cimport Judge
from .policy cimport Policy
from .prospects cimport Prospects
from diplomaccloud.judge.kernel.core.state cimport State
from diplomaccloud.judge.kernel.core.tables cimport Tables

cimport cython


@cython.final
cdef class Player:
    cdef Tables tables
    cdef Judge judge
    cdef State state
    cdef Policy policy
    cdef Prospects prospects
    cdef list keep
    cdef int *spare
    cdef double *later
    cdef Py_ssize_t choose_states(
        self, const int *states, unsigned long long *seeds, int *orders, Py_ssize_t count
    ) noexcept nogil
    cdef Py_ssize_t sample_state(
        self,
        const int *states,
        int power,
        const int *forced,
        unsigned long long *seeds,
        int *orders,
        Py_ssize_t count,
    ) noexcept nogil
    cdef Py_ssize_t measure_states(
        self, const int *states, double *values, Py_ssize_t count
    ) noexcept nogil
    cdef Py_ssize_t play_states(
        self,
        int *states,
        unsigned long long *seeds,
        int phases,
        const int *start,
        Py_ssize_t count,
    ) noexcept nogil
    cdef Py_ssize_t try_candidates(
        self,
        const int *states,
        int power,
        const int *candidates,
        const int *replies,
        const int *pairs,
        unsigned long long *seeds,
        double *values,
        Py_ssize_t count,
        int years,
    ) noexcept nogil
    cdef void play_to_spring(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef void play_phase(self, unsigned long long *seeds, Py_ssize_t n) noexcept nogil
    cdef bint adjusts(self, int power, int p) noexcept nogil
    cdef bint are_rows(
        self, const int *pairs, Py_ssize_t count, Py_ssize_t candidates, Py_ssize_t replies
    ) noexcept nogil
