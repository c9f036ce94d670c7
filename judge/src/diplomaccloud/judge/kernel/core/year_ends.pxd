cimport cython

from . cimport codes, native
from .batches cimport borrow_workspace, return_workspace
from .order_values cimport read_units
from .workspace cimport Workspace

cpdef close_year(table, units, centers)
cdef close_state(Workspace work, table, centers)
@cython.locals(p=cython.int, owner=cython.int)
cdef bint read_owners(
    Workspace work, dict place_of, dict power_of, centers
) except -1
@cython.locals(p=cython.int, power=cython.int, taken=list)
cdef tuple take_centers(Workspace work, table)
