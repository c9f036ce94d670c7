cimport cython

from . cimport codes, native
from .batches cimport borrow_workspace, return_workspace
from .convoys cimport Convoys
from .order_values cimport UNIT_FIELDS, build_order, read_order, read_orders, read_units
from .tables cimport Tables
from .workspace cimport Workspace

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
cpdef find_unlisted(table, units, orders, bint skip_via=*)
cpdef pack_orders(table, units, orders, bint skip_via=*)
@cython.locals(i=cython.int, here=cython.int, size=cython.int)
cdef void write_orders(Workspace work) noexcept
