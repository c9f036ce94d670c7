cimport cython

from diplomaccloud.judge.kernel.core cimport codes, native
from diplomaccloud.judge.kernel.core.listing cimport Listing
from diplomaccloud.judge.kernel.core.phases cimport Judge
from diplomaccloud.judge.kernel.core.state cimport State
from diplomaccloud.judge.kernel.core.tables cimport Tables
from diplomaccloud.judge.kernel.core.batches cimport Workspace


@cython.final
cdef class Course:
    cdef Workspace work
    cdef Tables tables
    cdef State state
    cdef Judge judge
    cdef Listing listing
    cdef int most, cut
    cdef Py_ssize_t list_states(
        self, const int *states, int *firsts, int *actors, int *counts, Py_ssize_t count
    ) noexcept nogil
    cdef Py_ssize_t play_states(
        self,
        int *states,
        const int *orders,
        const int *start,
        int last_year,
        int *finals,
        int *endings,
        int *firsts,
        int *actors,
        int *counts,
        Py_ssize_t count,
    ) noexcept nogil
    cdef void count_pieces(self, int *counts, Py_ssize_t n) noexcept nogil
    cdef void list_choices(self, int *firsts, int *actors, Py_ssize_t n) noexcept nogil
    cdef Py_ssize_t keep_rows(self, Py_ssize_t k, Py_ssize_t end, int p) noexcept nogil
    cdef void move_row(self, Py_ssize_t k, Py_ssize_t to) noexcept nogil
    cdef int find_actor(self, int p) noexcept nogil
    cdef Py_ssize_t read_choices(
        self,
        const int *choices,
        const int *firsts,
        const int *rows,
        int *orders,
        Py_ssize_t count,
        Py_ssize_t room,
    ) noexcept nogil

cpdef list_choices(table, states, int most, firsts, actors, counts)
cpdef play_choices(
    table,
    states,
    orders,
    start,
    int last_year,
    int most,
    finals,
    endings,
    firsts,
    actors,
    counts,
    int rules,
)
cpdef Py_ssize_t read_choices(table, choices, firsts, rows, orders) except -2
cdef tuple take_rows(table, Course course, Py_ssize_t wrong)
