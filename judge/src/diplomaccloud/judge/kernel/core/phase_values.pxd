cimport cython

from . cimport codes
from .batches cimport borrow_workspace, return_workspace
from .order_values cimport (
    add_orders, bar_fleets, mark_unclear, read_orders, read_units, separate_orders
)
from .result_values cimport find_results
from .workspace cimport Workspace

cpdef resolve(table, units, orders, bint checked=*, int rules=*)
cpdef resolve_listed(table, units, orders, int rules=*, centers=*)
cpdef resolve_rest(table, units, Workspace work, orders)
cdef tuple decide(Workspace work, table, units, centers=*)
@cython.locals(i=cython.int)
cdef void decide_orders(Workspace work) except *
