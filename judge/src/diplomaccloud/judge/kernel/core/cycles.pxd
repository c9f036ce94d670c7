cimport cython

from . cimport codes, native
from .movement cimport Movement


@cython.final
cdef class Cycle:
    cdef Movement movement
    cdef list keep
    cdef int[528] questions, cycle, trail, mentioned, circular, first, ever, always
    cdef int question_count, cycle_size, trail_length, mentioned_count
    cdef int[256] results
    cdef long long *inputs
    cdef long long[9] seen, reach, fresh, onward, smallest
    cdef int branches, solutions
    cdef bint is_over, is_fixed
    cdef void resolve_orders(self) noexcept nogil
    cdef void decide_cycle(self) noexcept nogil
    cdef void add_question(self, int i) noexcept nogil
    cdef void record_first(self) noexcept nogil
    cdef bint disrupt_convoys(self) noexcept nogil
    cdef bint move_in_circles(self) noexcept nogil
    cdef int evaluate(self, int i) noexcept nogil
    cdef void find_smallest_cycle(self) noexcept nogil
    cdef void find_dependencies(self, int i, int words) noexcept nogil
    cdef void find_inputs(self, int i) noexcept nogil
    cdef void list_mentioned(self, int i) noexcept nogil
    cdef void add_mentioned(self, int i) noexcept nogil
    cdef void add_supporters(self, int i) noexcept nogil
    cdef void add_fleets(self, int army) noexcept nogil
    cdef void add_route(self, int army) noexcept nogil
    cdef void add_convoy(self, int army) noexcept nogil
    cdef void add_opponents(self, int i) noexcept nogil
    cdef void add_silencer(self, int i) noexcept nogil
    cdef void add_attack(self, int attacker, int supporter) noexcept nogil
    cdef void start_search(self) noexcept nogil
    cdef void search(self) noexcept nogil
    cdef bint draw_consequences(self) noexcept nogil
    cdef void record_solution(self) noexcept nogil
