cimport cython

from . cimport codes, native
from .movement cimport Movement
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
@cython.locals(here=cython.int, i=cython.int)
cdef bint read_orders(
    Workspace work, dict place_of, dict power_of, units, orders, bint checked
) except -1
@cython.locals(here=cython.int)
cdef bint set_orders(Workspace work, dict place_of, dict power_of, units, orders) except -1
cdef inline build_order(int code, unit, target, to)
