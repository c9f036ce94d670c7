cimport cython

from . cimport codes, native
from .order_values cimport pack_unit, read_order, set_order
from .workspace cimport Workspace

@cython.locals(here=cython.int, i=cython.int, clear=cython.bint, count=cython.Py_ssize_t)
cdef bint mark_unclear(
    Workspace work, dict place_of, dict power_of, units, orders
) except -1
@cython.locals(here=cython.int, known=cython.int)
cdef int find_unclear(Workspace work, dict place_of, dict power_of, order) except -2
@cython.locals(
    code=cython.int, target=cython.int, to=cython.int, here=cython.int, standing=cython.int,
    goal=cython.int
)
cdef int find_refusal(Workspace work, dict place_of, dict power_of, order) except -2
@cython.locals(near=cython.bint, needless=cython.bint)
cdef bint is_move_refused(Workspace work, int here, int goal, bint via) noexcept
@cython.locals(here=cython.int, i=cython.int, k=cython.Py_ssize_t, held=list)
cdef tuple separate_orders(Workspace work, orders)
