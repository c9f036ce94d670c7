cimport cython

from . cimport codes, native
from .batches cimport borrow_workspace, return_workspace
from .movement cimport Movement
from .tables cimport Tables
from .workspace cimport Workspace

cdef tuple UNIT_FIELDS
cdef tuple HOLD_FIELDS
cdef tuple MOVE_FIELDS
cdef tuple SUPPORT_HOLD_FIELDS
cdef tuple SUPPORT_MOVE_FIELDS
cdef tuple CONVOY_FIELDS

cpdef resolve(table, units, orders, bint checked=*, int rules=*, bint skip_via=*)
@cython.locals(place=cython.int, power=cython.int)
cdef int pack_unit(dict place_of, dict power_of, unit) except -2
@cython.locals(code=cython.int, place=cython.int, p=cython.int, count=cython.int)
cdef bint read_units(Workspace work, dict place_of, dict power_of, units) except -1
@cython.locals(place=cython.int, p=cython.int, code=cython.int)
cdef int find_province(
    Workspace work, dict place_of, dict power_of, units, unit
) except -2
@cython.locals(
    fields=tuple, code=cython.int, target=cython.int, to=cython.int, here=cython.int
)
cdef int read_order(
    Workspace work, dict place_of, dict power_of, units, order, bint checked
) except -2
cdef bint set_order(Workspace work, int here) noexcept
@cython.locals(here=cython.int, i=cython.int)
cdef bint read_orders(
    Workspace work, dict place_of, dict power_of, units, orders, bint checked
) except -1
cpdef resolve_listed(table, units, orders, int rules=*, bint skip_via=*, centers=*)
cpdef resolve_rest(table, units, Workspace work, orders)
cdef tuple decide(Workspace work, table, units, centers=*)
@cython.locals(i=cython.int)
cdef void decide_orders(Workspace work) noexcept
@cython.locals(here=cython.int)
cdef bint set_orders(Workspace work, dict place_of, dict power_of, units, orders) except -1
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
cpdef close_year(table, units, centers)
@cython.locals(p=cython.int, owner=cython.int)
cdef bint read_owners(
    Workspace work, dict place_of, dict power_of, centers
) except -1
cdef close_state(Workspace work, table, centers)
@cython.locals(p=cython.int, power=cython.int, taken=list)
cdef tuple take_centers(Workspace work, table)
cpdef list_orders(table, units, power=*)
@cython.locals(place=cython.int, p=cython.int, count=cython.int)
cdef bint place_units(Workspace work, dict place_of, units) except -1
@cython.locals(
    i=cython.int, k=cython.Py_ssize_t, first=cython.Py_ssize_t, options=cython.int,
    at=cython.Py_ssize_t, count=cython.Py_ssize_t, orders=tuple
)
cdef tuple build_orders(Workspace work, list location_of, tuple units, power)
cdef inline build_order(int code, unit, target, to)
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
