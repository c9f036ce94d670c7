cimport cython

from . cimport codes, native
from .workspace cimport Workspace
from .year_ends cimport close_state

@cython.locals(
    i=cython.int, k=cython.int, p=cython.int, place=cython.int, paradox=cython.int,
    stood=cython.int, outcomes=tuple, pieces=cython.int, power=cython.int, leads=cython.bint,
    entry=tuple, standing=tuple
)
cdef tuple find_results(Workspace work, table, units, centers)
@cython.locals(i=cython.int, place=cython.int)
cdef void move_units(Workspace work) noexcept
cdef list find_marks(Workspace work)
@cython.locals(i=cython.int, k=cython.int, code=cython.int, known=dict, standing=tuple)
cdef tuple find_standing(Workspace work, table, units, int count)
cdef tuple find_retreats(Workspace work, int i, int attacker)
