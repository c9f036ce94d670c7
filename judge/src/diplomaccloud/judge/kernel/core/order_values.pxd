cimport cython

from . cimport codes, native
from .batches cimport borrow_workspace, return_workspace
from .convoys cimport Convoys
from .movement cimport Movement
from .tables cimport Tables
from .workspace cimport Workspace

cdef tuple UNIT_FIELDS
cdef tuple HOLD_FIELDS
cdef tuple MOVE_FIELDS
cdef tuple SUPPORT_HOLD_FIELDS
cdef tuple SUPPORT_MOVE_FIELDS
cdef tuple CONVOY_FIELDS

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
@cython.locals(seas=list)
cdef void note_path(Workspace work, dict place_of, int here, path) except *
@cython.locals(movement=Movement, i=cython.int, seas=list)
cdef void bar_fleets(Workspace work) except *
cdef bint set_order(Workspace work, int here) noexcept
@cython.locals(i=cython.int)
cdef bint read_orders(
    Workspace work, dict place_of, dict power_of, units, orders, bint checked
) except -1
@cython.locals(here=cython.int)
cdef bint add_orders(
    Workspace work, dict place_of, dict power_of, units, orders, bint checked
) except -1
cdef inline build_order(int code, unit, target, to)
cpdef list_orders(table, units, power=*)
@cython.locals(place=cython.int, p=cython.int, count=cython.int)
cdef bint place_units(Workspace work, dict place_of, units) except -1
@cython.locals(
    i=cython.int, k=cython.Py_ssize_t, first=cython.Py_ssize_t, options=cython.int,
    at=cython.Py_ssize_t, count=cython.Py_ssize_t, orders=tuple
)
cdef tuple build_orders(Workspace work, list location_of, tuple units, power)
@cython.locals(
    here=cython.int, k=cython.int, number=cython.int, word=cython.int, routes=dict, needed=list,
    convoys=Convoys, tables=Tables
)
cpdef find_routes(table, seas, start)
@cython.locals(number=cython.Py_ssize_t, unlisted=list, clear=cython.bint)
cpdef find_unlisted(table, units, orders, int rules=*)
cpdef pack_orders(table, units, orders, int rules=*)
@cython.locals(i=cython.int, here=cython.int, size=cython.int)
cdef void write_orders(Workspace work) noexcept
@cython.locals(here=cython.int, i=cython.int, clear=cython.bint, count=cython.Py_ssize_t)
cdef bint mark_unclear(
    Workspace work, dict place_of, dict power_of, units, orders
) except -1
@cython.locals(here=cython.int, known=cython.int)
cdef int find_unclear(Workspace work, dict place_of, dict power_of, order) except -2
@cython.locals(
    code=cython.int, target=cython.int, to=cython.int, here=cython.int, standing=cython.int,
    goal=cython.int, other=cython.int, is_there=cython.bint, sea=cython.int
)
cdef int find_refusal(Workspace work, dict place_of, dict power_of, order) except -2
@cython.locals(near=cython.bint, rules=cython.int)
cdef bint is_move_refused(Workspace work, int here, int goal, bint via) noexcept
@cython.locals(convoys=Convoys, word=cython.int)
cdef bint is_detour(Workspace work, int here, int goal, int sea) noexcept
@cython.locals(
    here=cython.int, i=cython.int, k=cython.Py_ssize_t, held=list, needless=list
)
cdef tuple separate_orders(Workspace work, orders)
@cython.locals(army=cython.int, goal=cython.int, i=cython.int)
cdef bint goes_by_sea(Workspace work, int here) noexcept
