from diplomaccloud.judge.kernel.core cimport codes, native
from . cimport doubles
from .player cimport Player

cdef Player borrow_player(table)
cdef int return_player(table, Player player) except -1
cdef set_style(Player player, double heat, double tolerance, truces)
cpdef choose_orders(
    table, states, seeds, orders, double heat, double tolerance, truces=*
)
cpdef sample_orders(
    table,
    state,
    int power,
    forced,
    seeds,
    orders,
    double heat,
    double tolerance,
    truces=*,
)
cpdef measure_states(table, states, values)
cpdef play_policy(table, states, seeds, int phases, start, double heat, double tolerance)
cpdef try_candidates(
    table,
    state,
    int power,
    candidates,
    replies,
    pairs,
    seeds,
    values,
    double heat,
    double tolerance,
    truces=*,
    int years=*,
)
