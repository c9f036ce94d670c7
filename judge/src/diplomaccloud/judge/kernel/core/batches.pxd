from . cimport buffers, codes, native
from .workspace cimport Workspace

cdef Workspace borrow_workspace(table)
cdef int return_workspace(table, Workspace work) except -1
cpdef adjudicate(table, states, orders, after, outcomes, dislodgers, int rules=*)
cpdef list_batch(table, states)
cpdef random_orders(table, states, seeds, orders)
cpdef play(table, states, seeds, int phases, start)
