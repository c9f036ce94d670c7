cimport cython

from . cimport codes, native
from .batches cimport Workspace, borrow_workspace, return_workspace
from .convoys cimport Convoys
from .movement cimport Movement
from .tables cimport Tables

cdef tuple UNIT_FIELDS, HOLD_FIELDS, MOVE_FIELDS, SUPPORT_HOLD_FIELDS, SUPPORT_MOVE_FIELDS
cdef tuple CONVOY_FIELDS, SEPARATION_FIELDS

@cython.locals(place=cython.int, power=cython.int)
cdef int pack_unit(Workspace work, unit) except -2
@cython.locals(code=cython.int, place=cython.int, p=cython.int, count=cython.int)
cdef bint read_units(Workspace work, units) except -1
@cython.locals(place=cython.int, p=cython.int, code=cython.int)
cdef int find_province(Workspace work, unit) except -2
@cython.locals(fields=tuple, code=cython.int, target=cython.int, to=cython.int, p=cython.int)
cdef int read_order(Workspace work, order, bint checked) except -2
cdef void note_path(Workspace work, int p, path) except *
@cython.locals(movement=Movement, i=cython.int, seas=list)
cdef void bar_fleets(Workspace work) except *
cdef bint set_order(Workspace work, int p) noexcept
@cython.locals(i=cython.int)
cdef bint read_orders(Workspace work, orders, bint checked) except -1
@cython.locals(p=cython.int)
cdef bint add_orders(Workspace work, orders, bint checked) except -1
cdef inline build_order(int code, unit, target, to)
cpdef list_orders(board, units, power=*)
@cython.locals(place=cython.int, p=cython.int, count=cython.int, kind=cython.bint)
cdef bint place_units(Workspace work, units) except -1
@cython.locals(
    i=cython.int, k=cython.Py_ssize_t, first=cython.Py_ssize_t, options=cython.int,
    at=cython.Py_ssize_t, count=cython.Py_ssize_t, orders=tuple
)
cdef tuple build_orders(Workspace work, list location_of, tuple units, power)
@cython.locals(
    p=cython.int, k=cython.int, number=cython.int, word=cython.int, routes=dict, needed=list,
    seas=list, convoys=Convoys, tables=Tables
)
cpdef find_routes(board, fleets, start)
@cython.locals(number=cython.Py_ssize_t, unlisted=list, clear=cython.bint)
cpdef find_unlisted(board, units, orders, rules=*)
@cython.locals(movement=Movement, i=cython.int, p=cython.int, size=cython.int)
cpdef pack_orders(board, units, orders, rules=*)
@cython.locals(p=cython.int, i=cython.int, clear=cython.bint, count=cython.Py_ssize_t)
cdef bint mark_unclear(Workspace work, orders) except -1
@cython.locals(p=cython.int, known=cython.int)
cdef int find_unclear(Workspace work, order) except -2
@cython.locals(
    code=cython.int, target=cython.int, to=cython.int, p=cython.int, standing=cython.int,
    goal=cython.int, aided=cython.int, is_there=cython.bint, sea=cython.int
)
cdef int find_refusal(Workspace work, order) except -2
@cython.locals(convoys=Convoys, word=cython.int)
cdef bint is_detour(Workspace work, int start, int goal, int sea) noexcept
@cython.locals(near=cython.bint, rules=cython.int)
cdef bint is_move_refused(Workspace work, int p, int goal, bint via) noexcept
@cython.locals(p=cython.int, i=cython.int, k=cython.Py_ssize_t, refused=list, needless=list)
cdef separate_orders(Workspace work, board, orders)
@cython.locals(army=cython.int, goal=cython.int, i=cython.int)
cdef bint goes_by_sea(Workspace work, int p) noexcept
