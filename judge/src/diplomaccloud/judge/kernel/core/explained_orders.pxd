cimport cython

from . cimport codes, native
from .batches cimport borrow_workspace, return_workspace
from .movement cimport Movement
from .order_values cimport build_order, read_order, read_units, set_order
from .phase_values cimport decide_orders
from .reasons cimport Reasons
from .workspace cimport Workspace

cdef tuple RESULT_FIELDS

@cython.locals(work=Workspace, given=list)
cpdef explain_orders(table, units, orders, int rules, dict known, explain_row)
@cython.locals(work=Workspace, reasons=Reasons, explained=list, i=cython.int, row=bytes)
cpdef find_facts(table, units, orders, int rules)
@cython.locals(movement=Movement, given=list, here=cython.int, i=cython.int)
cdef list decide_given(Workspace work, table, units, orders, int rules)
@cython.locals(
    movement=Movement, reasons=Reasons, results=tuple, i=cython.int, row=bytes,
    implicit=cython.bint, explained=tuple
)
cdef tuple build_results(Workspace work, units, list given, dict known, explain_row)
