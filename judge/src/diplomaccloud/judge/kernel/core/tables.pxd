cimport cython

from . cimport codes, native


@cython.final
cdef class Tables:
    cdef list keep
    cdef readonly int provinces, places, seas, powers, victory
    cdef int wide, broad, phases, last_turn
    cdef int *stages
    cdef int *word_of
    cdef long long *bit_of
    cdef int *province_of
    cdef int *near_at
    cdef int *near
    cdef int *reach_at
    cdef int *reach
    cdef int *build_centers_at
    cdef int *build_centers
    cdef int *landings_at
    cdef int *landings
    cdef long long *reach_masks
    cdef long long *around
    cdef long long *sea_ports
    cdef long long *sea_links
    cdef long long *shores
    cdef int *sea_of
    cdef int *ports
    cdef int *centers
    cdef int *rank
    cdef int *alphabet
    cdef int *walk_steps
    cdef int *sail_steps
    cdef int *country_walk_steps
    cdef int *country_sail_steps
    cdef bint can_reach(self, int row, int province) noexcept nogil
    cdef bint is_near(self, int row, int place) noexcept nogil
    cdef bint is_landing(self, int province, int place) noexcept nogil
    cdef bint can_stand(self, int kind, int place) noexcept nogil
