cimport cython

from . cimport codes, native
from .batches cimport Workspace, borrow_workspace, return_workspace
from .movement cimport Movement
from .order_values cimport (
    add_orders, bar_fleets, build_order, mark_unclear, read_order, read_orders, read_units,
    separate_orders, set_order
)
from .reasons cimport Reasons
from .state cimport State
from .tables cimport Tables

cdef tuple RESULT_FIELDS, VERDICT_FIELDS


@cython.final
cdef class Builder:
    cdef object kind
    cdef tuple fields

cpdef resolve(board, units, orders, rules=*, bint checked=*)
cpdef resolve_listed(board, units, orders, rules=*, centers=*)
@cython.locals(work=Workspace)
cpdef resolve_rest(separation, orders)
cdef decide(Workspace work, table, centers)
@cython.locals(movement=Movement, i=cython.int)
cdef void decide_orders(Workspace work) except *
@cython.locals(work=Workspace, given=list)
cpdef explain_orders(board, units, orders, rules, dict known, explain_row)
@cython.locals(work=Workspace, reasons=Reasons, explained=list, i=cython.int, row=bytes)
cpdef find_facts(board, units, orders, rules)
@cython.locals(movement=Movement, given=list, p=cython.int, i=cython.int)
cdef list decide_given(Workspace work, units, orders, rules)
@cython.locals(
    movement=Movement, reasons=Reasons, results=tuple, i=cython.int, row=bytes,
    implicit=cython.bint, explained=tuple
)
cdef tuple build_results(Workspace work, list given, dict known, explain_row)
@cython.locals(
    movement=Movement, tables=Tables, i=cython.int, k=cython.int, p=cython.int, place=cython.int,
    stood=cython.int, pieces=cython.int, power=cython.int, leads=cython.bint, losers=cython.int,
    outcomes=tuple, standing=tuple
)
cdef build_verdict(Workspace work, table, centers)
@cython.locals(movement=Movement, i=cython.int, k=cython.int, code=cython.int, known=dict, standing=tuple)
cdef tuple build_standing(Workspace work, table, int count)
@cython.locals(
    movement=Movement, tables=Tables, source=cython.int, barred=cython.int, row=cython.int,
    k=cython.int, to=cython.int, p=cython.int, places=list
)
cdef build_dislodged(Workspace work, table, int i, int attacker)
cpdef close_year(board, units, centers)
@cython.locals(state=State, p=cython.int, power=cython.int, taken=list)
cdef close_state(Workspace work, table, centers)
