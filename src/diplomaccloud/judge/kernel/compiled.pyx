# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, nonecheck=False, freethreading_compatible=True
"""The compiled kernel: the same functions as `pure`, over C arrays.

It follows `movement`, `cycles`, `legal_orders` and `pure` function by function; their docstrings
explain what each does. Sets of seas and of provinces are masks of 64-bit words. No function
that works on a batch touches a Python object, so the GIL is released meanwhile.
"""

from cpython cimport array
from libc.stdint cimport int16_t, int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

import array as arrays

from diplomaccloud.judge.board import UnitKind
from diplomaccloud.judge.orders import Convoy, Hold, Move, SupportHold, SupportMove

NAME = "compiled"
VERSION = 3

cdef enum:
    UNITS = 512
    WORDS = 8
    PLACE_SHIFT = 1     # these three as in `layout`
    PLACE_MASK = 1023
    POWER_SHIFT = 11
    OPEN_SOURCE = 1024
    FAR = 10000
    MAX_INPUTS = 8
    MAX_BRANCHES = 2000
    MAX_STEPS = 20000

cdef enum:
    YEAR, PHASE, WINNER, HEAD

cdef enum:
    SPRING_MOVEMENT, SPRING_RETREATS, FALL_MOVEMENT, FALL_RETREATS, ADJUSTMENTS

cdef enum:
    HOLD, MOVE, MOVE_VIA, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY, RETREAT, DISBAND, BUILD

cdef enum:
    HELD, MOVED, BOUNCED, NOPATH, GIVEN, CUT, VOID, CONVOYED, DISRUPTED

cdef enum:
    NO, YES, OPEN

ctypedef uint64_t word

cdef extern from *:
    int popcount "__builtin_popcountll"(word) noexcept nogil
    int lowest "__builtin_ctzll"(word) noexcept nogil


cdef struct Map:
    int provinces, places, seas, powers, victory
    int wide          # words in a set of seas
    int broad         # words in a set of provinces
    int *province_of
    int *near_at
    int *near
    int *reach_at
    int *reach
    unsigned char *walks
    int *sea_of
    int *sea_at
    word *shores
    word *sea_links
    word *sea_ports
    int *ports
    int *centers
    int *home
    int *homes_at
    int *homes
    int *landings_at
    int *landings
    int *walk_steps
    int *sail_steps
    int *rank
    int *alphabet
    word *around


cdef struct KernelState:
    Map *map
    int n
    int power[UNITS]
    int16_t place[UNITS]
    int16_t kind[UNITS]
    int16_t code[UNITS]
    int16_t target[UNITS]
    int16_t to[UNITS]
    int16_t here[UNITS]
    int16_t goal[UNITS]
    int16_t opponent[UNITS]
    int16_t support_into[UNITS]
    int16_t cargo[UNITS]
    int16_t fleets[UNITS]       # first fleet of the route, then by next_fleet
    int16_t next_fleet[UNITS]
    int16_t supporters[UNITS]
    int16_t next_supporter[UNITS]
    int16_t next_rival[UNITS]
    int16_t rivals[UNITS]       # by province
    int16_t at[UNITS]           # by province
    unsigned char routed[UNITS]
    unsigned char answers[UNITS]
    unsigned char paradox_failed[UNITS]
    unsigned char paradox_stopped[UNITS]
    int16_t moves[UNITS]        # moves still open
    int16_t movers[UNITS]       # all of them
    int moved
    int16_t supports[UNITS]
    int16_t convoys[UNITS]
    int many_moves, many_supports, many_convoys


# One movement phase: matching orders.


cdef void match_orders(KernelState *movement) noexcept nogil:
    """Match the orders: `n`, and each unit's place, kind, power, code, target and to are set."""
    cdef Map *m = movement.map
    cdef int i, n = movement.n, p, code, target, army, power, fleet
    cdef bint own
    movement.many_moves = movement.many_supports = movement.many_convoys = 0
    memset(movement.rivals, 255, m.provinces * sizeof(int16_t))
    memset(movement.at, 255, m.provinces * sizeof(int16_t))
    memset(movement.opponent, 255, n * sizeof(int16_t))
    memset(movement.support_into, 255, n * sizeof(int16_t))
    memset(movement.cargo, 255, n * sizeof(int16_t))
    memset(movement.fleets, 255, n * sizeof(int16_t))
    memset(movement.supporters, 255, n * sizeof(int16_t))
    memset(movement.goal, 255, n * sizeof(int16_t))
    memset(movement.routed, 0, n)
    memset(movement.answers, NO, n)
    memset(movement.paradox_failed, 0, n)
    memset(movement.paradox_stopped, 0, n)
    for i in range(n):
        p = m.province_of[movement.place[i]]
        movement.here[i] = p
        movement.at[p] = i
    for i in range(n):
        code = movement.code[i]
        if code == MOVE or code == MOVE_VIA:
            p = m.province_of[movement.to[i]]
            movement.goal[i] = p
            movement.answers[i] = OPEN
            movement.next_rival[i] = movement.rivals[p]
            movement.rivals[p] = i
            movement.moves[movement.many_moves] = i
            movement.many_moves += 1
        elif code == SUPPORT_HOLD or code == SUPPORT_MOVE:
            movement.supports[movement.many_supports] = i
            movement.many_supports += 1
        elif code == CONVOY:
            movement.convoys[movement.many_convoys] = i
            movement.many_convoys += 1
    movement.moved = movement.many_moves
    memcpy(movement.movers, movement.moves, movement.moved * sizeof(int16_t))
    choose_routes(movement)
    match_supports(movement)
    for p in range(movement.many_moves):
        i = movement.moves[p]
        army = movement.at[movement.goal[i]]
        if army >= 0 and movement.goal[army] == movement.here[i] and not movement.routed[i] and not movement.routed[army]:
            movement.opponent[i] = army


cdef void choose_routes(KernelState *movement) noexcept nogil:
    cdef Map *m = movement.map
    cdef int k, i, army, fleet, count = movement.many_convoys
    cdef bint own
    for k in range(count):
        i = movement.convoys[k]
        army = movement.at[movement.target[i]]
        if army >= 0 and movement.goal[army] >= 0 and movement.goal[army] == movement.to[i] and m.sea_of[movement.here[i]] >= 0:
            movement.next_fleet[i] = movement.fleets[army]
            movement.fleets[army] = i
    movement.many_convoys = 0
    for k in range(movement.many_moves):
        i = movement.moves[k]
        if movement.kind[i]:
            continue
        fleet = movement.fleets[i]
        if movement.code[i] == MOVE and m.walks[movement.here[i] * m.provinces + movement.goal[i]]:
            own = False
            while fleet >= 0:
                own = own or movement.power[fleet] == movement.power[i]
                fleet = movement.next_fleet[fleet]
            if not own:
                continue
            fleet = movement.fleets[i]
        movement.routed[i] = 1
        while fleet >= 0:
            movement.cargo[fleet] = i
            movement.answers[fleet] = OPEN
            movement.convoys[movement.many_convoys] = fleet
            movement.many_convoys += 1
            fleet = movement.next_fleet[fleet]


cdef void match_supports(KernelState *movement) noexcept nogil:
    cdef int k, i, target, matched = 0
    for k in range(movement.many_supports):
        i = movement.supports[k]
        target = movement.at[movement.target[i]]
        if target < 0 or (movement.code[i] == SUPPORT_HOLD) == (movement.goal[target] >= 0):
            continue
        if movement.code[i] == SUPPORT_HOLD:
            movement.support_into[i] = movement.target[i]
        elif movement.to[i] == movement.to[target] or movement.to[i] == movement.goal[target]:
            if movement.routed[target] and not has_chain(movement, target, NO, NO):
                continue
            movement.support_into[i] = movement.goal[target]
        else:
            continue
        movement.supports[matched] = i
        matched += 1
        movement.answers[i] = OPEN
        movement.next_supporter[i] = movement.supporters[target]
        movement.supporters[target] = i
    movement.many_supports = matched


# Convoys.


cdef bint has_chain(KernelState *movement, int army, int least, int barred) noexcept nogil:
    """Return whether fleets with an answer of at least `least`, except `barred`, form a chain."""
    cdef Map *m = movement.map
    cdef word fleets[WORDS]
    cdef word fresh[WORDS]
    cdef word onward[WORDS]
    cdef word *shore = &m.shores[movement.here[army] * m.wide]
    cdef word *last = &m.shores[movement.goal[army] * m.wide]
    cdef word some, bitsleft
    cdef int w, sea, x, fleet = movement.fleets[army]
    if fleet < 0:
        return False
    memset(fleets, 0, m.wide * sizeof(word))
    while fleet >= 0:
        if movement.answers[fleet] >= least and (barred == NO or movement.answers[fleet] != barred):
            sea = m.sea_of[movement.here[fleet]]
            fleets[sea >> 6] |= (<word>1) << (sea & 63)
        fleet = movement.next_fleet[fleet]
    for w in range(m.wide):
        fresh[w] = fleets[w] & shore[w]
        fleets[w] &= ~shore[w]
    while True:
        some = 0
        for w in range(m.wide):
            if fresh[w] & last[w]:
                return True
            some |= fresh[w]
        if not some:
            return False
        memset(onward, 0, m.wide * sizeof(word))
        for w in range(m.wide):
            bitsleft = fresh[w]
            while bitsleft:
                sea = (w << 6) + lowest(bitsleft)
                bitsleft &= bitsleft - 1
                for x in range(m.wide):
                    onward[x] |= m.sea_links[sea * m.wide + x]
        for w in range(m.wide):
            fresh[w] = onward[w] & fleets[w]
            fleets[w] &= ~onward[w]


cdef inline int path_state(KernelState *movement, int i) noexcept nogil:
    if not movement.routed[i]:
        return YES
    return convoy_path_state(movement, i)


cdef int convoy_path_state(KernelState *movement, int i) noexcept nogil:
    cdef int fleet = movement.fleets[i]
    cdef bint some = False
    if has_chain(movement, i, YES, OPEN):
        return YES
    while fleet >= 0:
        some = some or movement.answers[fleet] == OPEN
        fleet = movement.next_fleet[fleet]
    return OPEN if some and has_chain(movement, i, YES, NO) else NO


cdef int convoy_state(KernelState *movement, int i) noexcept nogil:
    cdef int answer = YES, attacker
    if movement.paradox_failed[i]:
        return NO
    attacker = movement.rivals[movement.here[i]]
    while attacker >= 0:
        if movement.answers[attacker] == YES:
            return NO
        if movement.answers[attacker] == OPEN:
            answer = OPEN
        attacker = movement.next_rival[attacker]
    return answer


# Supports.


cdef inline bint cuts(KernelState *movement, int attacker, int supporter) noexcept nogil:
    return (
        movement.power[attacker] != movement.power[supporter] and movement.support_into[supporter] != movement.here[attacker]
    )


cdef int support_state(KernelState *movement, int i) noexcept nogil:
    cdef int answer = YES, way, attacker = movement.rivals[movement.here[i]]
    while attacker >= 0:
        if movement.answers[attacker] == YES:
            return NO
        if cuts(movement, attacker, i):
            way = path_state(movement, attacker)
            if way == YES:
                return NO
            if way == OPEN:
                answer = OPEN
        elif movement.answers[attacker] == OPEN:
            answer = OPEN
        attacker = movement.next_rival[attacker]
    return answer


# Moves.


cdef struct Range:
    int low, high


cdef inline Range supported_strength(KernelState *movement, int i, int find_goals_without) noexcept nogil:
    cdef Range found
    cdef int supporter = movement.supporters[i]
    found.low = found.high = 1
    while supporter >= 0:
        if movement.answers[supporter] != NO and movement.power[supporter] != find_goals_without:
            found.high += 1
            if movement.answers[supporter] == YES:
                found.low += 1
        supporter = movement.next_supporter[supporter]
    return found


cdef inline Range attack_strength(KernelState *movement, int i, int target) noexcept nogil:
    cdef int leaves = NO
    cdef Range found
    if movement.opponent[i] < 0 and movement.goal[target] >= 0:
        leaves = movement.answers[target]
    if leaves == YES:
        return supported_strength(movement, i, -1)
    found.low = found.high = 0
    if movement.power[i] != movement.power[target]:
        found = supported_strength(movement, i, movement.power[target])
    if leaves == OPEN:
        found.high = supported_strength(movement, i, -1).high
    return found


cdef inline Range prevent_strength(KernelState *movement, int i) noexcept nogil:
    cdef int way = path_state(movement, i), beaten = NO
    cdef Range found
    if movement.opponent[i] >= 0:
        beaten = movement.answers[movement.opponent[i]]
    if way == NO or beaten == YES:
        found.low = found.high = 0
        return found
    found = supported_strength(movement, i, -1)
    if way != YES or beaten != NO:
        found.low = 0
    return found


cdef int move_state(KernelState *movement, int i) noexcept nogil:
    cdef int way = path_state(movement, i), to = movement.goal[i], target, rival
    cdef Range mine, against, other
    if way == NO or movement.paradox_stopped[i]:
        return NO
    target = movement.at[to]
    against.low = against.high = 0
    if target >= 0:
        mine = attack_strength(movement, i, target)
        if movement.goal[target] < 0 or movement.opponent[i] >= 0:
            against = supported_strength(movement, target, -1)
        else:
            against.low = movement.answers[target] == NO
            against.high = movement.answers[target] != YES
    else:
        mine = supported_strength(movement, i, -1)
    if way == OPEN:
        mine.low = 0
    rival = movement.rivals[to]
    while rival >= 0 and mine.high > against.low:
        if rival != i:
            other = prevent_strength(movement, rival)
            if other.low > against.low:
                against.low = other.low
            if other.high > against.high:
                against.high = other.high
        rival = movement.next_rival[rival]
    if mine.high <= against.low:
        return NO
    return YES if mine.low > against.high else OPEN


# All together.


cdef void draw_conclusions(KernelState *movement) noexcept nogil:
    """Answer what can be answered; the lists hold the questions still open."""
    cdef int k, i, kept, left = -1, now
    while True:
        now = movement.many_moves + movement.many_supports + movement.many_convoys
        if now == left or now == 0:
            return
        left = now
        kept = 0
        for k in range(movement.many_supports):
            i = movement.supports[k]
            movement.answers[i] = support_state(movement, i)
            movement.supports[kept] = i
            kept += movement.answers[i] == OPEN
        movement.many_supports = kept
        kept = 0
        for k in range(movement.many_moves):
            i = movement.moves[k]
            movement.answers[i] = move_state(movement, i)
            movement.moves[kept] = i
            kept += movement.answers[i] == OPEN
        movement.many_moves = kept
        kept = 0
        for k in range(movement.many_convoys):
            i = movement.convoys[k]
            movement.answers[i] = convoy_state(movement, i)
            movement.convoys[kept] = i
            kept += movement.answers[i] == OPEN
        movement.many_convoys = kept


cdef void resolve_orders(KernelState *movement) noexcept nogil:
    match_orders(movement)
    draw_conclusions(movement)
    while movement.many_moves + movement.many_supports + movement.many_convoys:
        if movement.many_convoys or not try_all_moves(movement):
            decide_cycle(movement)
        draw_conclusions(movement)


cdef bint try_all_moves(KernelState *movement) noexcept nogil:
    cdef int k
    cdef bint fits = True
    for k in range(movement.many_moves):
        movement.answers[movement.moves[k]] = YES
    for k in range(movement.many_supports):
        movement.answers[movement.supports[k]] = support_state(movement, movement.supports[k])
    for k in range(movement.many_moves):
        if move_state(movement, movement.moves[k]) != YES:
            fits = False
            break
    if fits:
        return True
    for k in range(movement.many_moves):
        movement.answers[movement.moves[k]] = OPEN
    for k in range(movement.many_supports):
        movement.answers[movement.supports[k]] = OPEN
    return False


# Cycles.


cdef struct Cycle:
    int many, branches, found
    bint over, fixed
    int16_t questions[UNITS]
    int16_t cycle[UNITS]
    int cycle_size
    int16_t trail[UNITS]
    int trailed
    unsigned char kind[UNITS]           # by unit: 0 move, 1 support, 2 convoy, 3 none
    unsigned char ever[UNITS]           # some consistent answer is yes
    unsigned char always[UNITS]         # every consistent answer is yes
    unsigned char first[UNITS]
    unsigned char circular[UNITS]
    word inputs[UNITS][WORDS]


cdef int evaluate(KernelState *movement, Cycle *k, int i) noexcept nogil:
    if k.kind[i] == 0:
        return move_state(movement, i)
    return support_state(movement, i) if k.kind[i] == 1 else convoy_state(movement, i)


cdef void decide_cycle(KernelState *movement) noexcept nogil:
    cdef Cycle *k = <Cycle *>calloc(1, sizeof(Cycle))
    cdef int x
    if k == NULL:
        movement.many_moves = movement.many_supports = movement.many_convoys = 0
        return
    memset(k.kind, 3, movement.n)
    for x in range(movement.many_moves):
        k.kind[movement.moves[x]] = 0
        k.questions[k.many] = movement.moves[x]
        k.many += 1
    for x in range(movement.many_supports):
        k.kind[movement.supports[x]] = 1
        k.questions[k.many] = movement.supports[x]
        k.many += 1
    for x in range(movement.many_convoys):
        k.kind[movement.convoys[x]] = 2
        k.questions[k.many] = movement.convoys[x]
        k.many += 1
    find_smallest_cycle(movement, k)
    search(movement, k)
    apply_rule(movement, k)
    free(k)


cdef void apply_rule(KernelState *movement, Cycle *k) noexcept nogil:
    cdef int x, i
    cdef bint convoys = False
    if k.over:
        k.found = 0
    if k.found == 1:
        for x in range(k.cycle_size):
            movement.answers[k.cycle[x]] = k.first[k.cycle[x]]
        return
    for x in range(k.cycle_size):
        i = k.cycle[x]
        if k.kind[i] == 2 and (k.found == 0 or k.ever[i] != k.always[i]):
            convoys = True
            movement.paradox_failed[i] = 1
            movement.answers[i] = NO
    if convoys:
        return
    if k.found:
        # The answer in which every disputed move succeeds, if there is one.
        for x in range(k.cycle_size):
            i = k.cycle[x]
            k.circular[i] = k.kind[i] == 0 and k.ever[i] and not k.always[i]
        k.fixed = True
        k.found = k.branches = 0
        search(movement, k)
        if k.found:
            for x in range(k.cycle_size):
                movement.answers[k.cycle[x]] = k.first[k.cycle[x]]
            return
    for x in range(k.cycle_size):
        i = k.cycle[x]
        movement.answers[i] = NO
        if k.kind[i] == 0:
            movement.paradox_stopped[i] = 1


cdef void find_smallest_cycle(KernelState *movement, Cycle *k) noexcept nogil:
    cdef int x, w, i, one, size, best = UNITS + 1, wide = (movement.n + 63) >> 6
    cdef word reach[WORDS]
    cdef word smallest[WORDS]
    cdef word fresh[WORDS]
    cdef word onward[WORDS]
    cdef word left, some
    for x in range(k.many):
        find_inputs(movement, k, k.questions[x])
    for x in range(k.many):
        i = k.questions[x]
        memset(reach, 0, sizeof(reach))
        reach[i >> 6] |= (<word>1) << (i & 63)
        memcpy(fresh, reach, sizeof(reach))
        while True:
            memset(onward, 0, sizeof(onward))
            for w in range(wide):
                left = fresh[w]
                while left:
                    one = (w << 6) + lowest(left)
                    left &= left - 1
                    for i in range(wide):
                        onward[i] |= k.inputs[one][i]
            some = 0
            for w in range(wide):
                fresh[w] = onward[w] & ~reach[w]
                reach[w] |= fresh[w]
                some |= fresh[w]
            if not some:
                break
        size = 0
        for w in range(wide):
            size += popcount(reach[w])
        if size < best:
            best = size
            memcpy(smallest, reach, sizeof(reach))
    k.cycle_size = 0
    for x in range(k.many):
        i = k.questions[x]
        if smallest[i >> 6] >> (i & 63) & 1:
            k.cycle[k.cycle_size] = i
            k.cycle_size += 1


cdef inline void add_mentioned(KernelState *movement, int16_t *list, int *many, word *seen, int i) noexcept nogil:
    if movement.answers[i] == OPEN and not seen[i >> 6] >> (i & 63) & 1:
        seen[i >> 6] |= (<word>1) << (i & 63)
        list[many[0]] = i
        many[0] += 1


cdef void add_supporters(
    KernelState *movement, int16_t *list, int *many, word *seen, int i
) noexcept nogil:
    cdef int supporter = movement.supporters[i]
    while supporter >= 0:
        add_mentioned(movement, list, many, seen, supporter)
        supporter = movement.next_supporter[supporter]


cdef void add_fleets(KernelState *movement, int16_t *list, int *many, word *seen, int i) noexcept nogil:
    cdef int fleet
    if path_state(movement, i) == OPEN:
        fleet = movement.fleets[i]
        while fleet >= 0:
            add_mentioned(movement, list, many, seen, fleet)
            fleet = movement.next_fleet[fleet]


cdef int list_mentioned(KernelState *movement, Cycle *k, int i, int16_t *list, word *seen) noexcept nogil:
    cdef int many = 0, other, target
    if k.kind[i] == 0:
        target = movement.at[movement.goal[i]]
        if target >= 0:
            add_supporters(movement, list, &many, seen, target)
            if movement.opponent[i] < 0 and movement.goal[target] >= 0:
                add_mentioned(movement, list, &many, seen, target)
        other = movement.rivals[movement.goal[i]]
        while other >= 0:
            add_fleets(movement, list, &many, seen, other)
            add_supporters(movement, list, &many, seen, other)
            if other != i and movement.opponent[other] >= 0:
                add_mentioned(movement, list, &many, seen, movement.opponent[other])
            other = movement.next_rival[other]
        return many
    other = movement.rivals[movement.here[i]]
    while other >= 0:
        add_mentioned(movement, list, &many, seen, other)
        if k.kind[i] == 1 and cuts(movement, other, i):
            add_fleets(movement, list, &many, seen, other)
        other = movement.next_rival[other]
    return many


cdef void find_inputs(KernelState *movement, Cycle *k, int i) noexcept nogil:
    """Find the open questions that can really change the answer to `i`."""
    cdef int16_t list[UNITS]
    cdef unsigned char table[1 << MAX_INPUTS]
    cdef word seen[WORDS]
    cdef int many, x, row
    memset(seen, 0, sizeof(seen))
    many = list_mentioned(movement, k, i, list, seen)
    if many > MAX_INPUTS:
        memcpy(k.inputs[i], seen, sizeof(seen))
        return
    memset(k.inputs[i], 0, sizeof(seen))
    for row in range(1 << many):
        for x in range(many):
            movement.answers[list[x]] = row >> x & 1
        table[row] = evaluate(movement, k, i)
    for x in range(many):
        movement.answers[list[x]] = OPEN
    for x in range(many):
        for row in range(1 << many):
            if table[row] != table[row ^ 1 << x]:
                k.inputs[i][list[x] >> 6] |= (<word>1) << (list[x] & 63)
                break


cdef void search(KernelState *movement, Cycle *k) noexcept nogil:
    """Try every way to answer the cycle; record the consistent ones."""
    cdef int before, x, i, guess, choice = -1
    k.branches += 1
    if k.over or k.branches > MAX_BRANCHES:
        k.over = True
        return
    if k.fixed and k.found:
        return
    before = k.trailed
    if draw_consequences(movement, k):
        for x in range(k.cycle_size):
            if movement.answers[k.cycle[x]] == OPEN:
                choice = k.cycle[x]
                break
        if choice < 0:
            record_solution(movement, k)
        else:
            for guess in range(2):
                movement.answers[choice] = guess
                search(movement, k)
                movement.answers[choice] = OPEN
    while k.trailed > before:
        k.trailed -= 1
        movement.answers[k.trail[k.trailed]] = OPEN


cdef void record_solution(KernelState *movement, Cycle *k) noexcept nogil:
    cdef int x, i
    for x in range(k.cycle_size):
        i = k.cycle[x]
        if k.fixed and k.circular[i] and movement.answers[i] != YES:
            return
    for x in range(k.cycle_size):
        i = k.cycle[x]
        if k.found == 0:
            k.first[i] = movement.answers[i]
        if not k.fixed:
            if k.found == 0:
                k.ever[i] = k.always[i] = movement.answers[i]
            else:
                k.ever[i] |= movement.answers[i]
                k.always[i] &= movement.answers[i]
    k.found += 1


cdef bint draw_consequences(KernelState *movement, Cycle *k) noexcept nogil:
    cdef int x, i, answer
    cdef bint grows = True
    while grows:
        grows = False
        for x in range(k.cycle_size):
            i = k.cycle[x]
            answer = evaluate(movement, k, i)
            if answer == OPEN:
                continue
            if movement.answers[i] == OPEN:
                movement.answers[i] = answer
                k.trail[k.trailed] = i
                k.trailed += 1
                grows = True
            elif movement.answers[i] != answer:
                return False
    return True


# Results.


cdef int find_outcome(KernelState *movement, int i) noexcept nogil:
    cdef int code = movement.code[i]
    if code == HOLD:
        return HELD
    if code == MOVE or code == MOVE_VIA:
        if movement.answers[i]:
            return MOVED
        return BOUNCED if path_state(movement, i) else NOPATH
    if code == SUPPORT_HOLD or code == SUPPORT_MOVE:
        if movement.support_into[i] < 0:
            return VOID
        return GIVEN if movement.answers[i] else CUT
    if code == CONVOY and movement.cargo[i] >= 0:
        return CONVOYED if movement.answers[i] or path_state(movement, movement.cargo[i]) else DISRUPTED
    return VOID


cdef int find_dislodger(KernelState *movement, int i) noexcept nogil:
    cdef int attacker
    if movement.goal[i] >= 0 and movement.answers[i]:
        return -1
    attacker = movement.rivals[movement.here[i]]
    while attacker >= 0 and not movement.answers[attacker]:
        attacker = movement.next_rival[attacker]
    return attacker


# Tables.


cdef class Native:
    """A board's tables as C arrays."""

    cdef Map map
    cdef list _blocks

    def __cinit__(self):
        memset(&self.map, 0, sizeof(Map))
        self._blocks = []

    cdef int *_ints(self, values) except? NULL:
        block = arrays.array("i", values or [0])
        self._blocks.append(block)
        return (<array.array>block).data.as_ints

    cdef word *_words(self, masks, int words) except? NULL:
        block = arrays.array("Q", [0])
        block.frombytes(b"".join(mask.to_bytes(8 * words, "little") for mask in masks))
        block = block[1:] if len(block) > 1 else block
        self._blocks.append(block)
        return <word *>(<array.array>block).data.as_voidptr

    cdef int **_rows(self, rows, int **at) except? NULL:
        starts = [0]
        flat = []
        for row in rows:
            flat.extend(row)
            starts.append(len(flat))
        at[0] = self._ints(starts)
        at[1] = self._ints(flat)
        return at

    def __init__(self, table):
        cdef Map *m = &self.map
        cdef int *pair[2]
        m.provinces, m.places, m.seas = table.provinces, table.places, len(table.seas)
        m.powers, m.victory = len(table.powers), table.victory
        m.wide = max(1, (m.seas + 63) // 64)
        m.broad = max(1, (m.provinces + 63) // 64)
        m.province_of = self._ints(table.province_of)
        self._rows(table.near, pair)
        m.near_at, m.near = pair[0], pair[1]
        self._rows(table.reach, pair)
        m.reach_at, m.reach = pair[0], pair[1]
        self._rows(table.homes, pair)
        m.homes_at, m.homes = pair[0], pair[1]
        self._rows(table.landings, pair)
        m.landings_at, m.landings = pair[0], pair[1]
        walks = bytearray(m.provinces * m.provinces)
        for here in range(m.provinces):
            for to in table.reach[here]:
                walks[here * m.provinces + to] = 1
        block = arrays.array("B", bytes(walks))
        self._blocks.append(block)
        m.walks = (<array.array>block).data.as_uchars
        m.sea_of, m.sea_at = self._ints(table.sea_of), self._ints(table.seas)
        m.shores = self._words(table.shores, m.wide)
        m.sea_links = self._words(table.sea_links, m.wide)
        m.sea_ports = self._words(table.sea_ports, m.broad)
        m.around = self._words(table.around, m.broad)
        m.ports = self._ints(table.ports)
        centers = set(table.centers)
        m.centers = self._ints([p in centers for p in range(m.provinces)])
        m.home, m.rank = self._ints(table.home), self._ints(table.rank)
        m.alphabet = self._ints(table.alphabet)
        m.walk_steps = self._ints([x for row in table.walk_steps for x in row])
        m.sail_steps = self._ints([x for row in table.sail_steps for x in row])


cdef Native load_native(table):
    found = table.native.get("compiled")
    if found is None:
        found = table.native["compiled"] = Native(table)
    return <Native>found


# Whole phases.


cdef inline bint is_movement_phase(int phase) noexcept nogil:
    return phase == SPRING_MOVEMENT or phase == FALL_MOVEMENT


cdef inline bint is_retreat_phase(int phase) noexcept nogil:
    return phase == SPRING_RETREATS or phase == FALL_RETREATS


cdef bint load_orders(Map *m, int32_t *row, int32_t *orders, KernelState *movement) noexcept nogil:
    """Set the units and orders of a movement phase; return whether all units are in range."""
    cdef int p, size = m.provinces, n = 0, unit, i, code, target, to
    cdef int16_t standing[UNITS + 1]
    movement.map = m
    for p in range(size):  # without a branch, which would be guessed wrong half the time
        standing[n] = p
        n += row[HEAD + p] >= 0
    movement.n = n
    for i in range(n):
        p = standing[i]
        unit = row[HEAD + p]
        if not fits(m, p, unit):
            return False
        movement.place[i] = unit >> PLACE_SHIFT & PLACE_MASK
        movement.kind[i] = unit & 1
        movement.power[i] = unit >> POWER_SHIFT
        code, target, to = orders[p], orders[size + p], orders[2 * size + p]
        if <unsigned int>code > CONVOY or <unsigned int>target >= <unsigned int>size or (
            <unsigned int>to >= <unsigned int>m.places
        ):
            code = target = to = 0
        movement.code[i] = code
        movement.target[i] = target
        movement.to[i] = to
    return True


cdef inline int pack_moved(KernelState *movement, int i, int place) noexcept nogil:
    """Return unit `i` as one integer, in `place`."""
    return movement.power[i] << POWER_SHIFT | place << PLACE_SHIFT | movement.kind[i]


cdef inline bint fits(Map *m, int p, int unit) noexcept nogil:
    """Return whether a unit in province `p` can be there."""
    return (
        (unit >> PLACE_SHIFT & PLACE_MASK) < m.places
        and m.province_of[unit >> PLACE_SHIFT & PLACE_MASK] == p
        and (unit >> POWER_SHIFT) < m.powers
    )


cdef bint is_valid(Map *m, int32_t *row) noexcept nogil:
    """Return whether every number of a state is in range."""
    cdef int b, p, unit, size = m.provinces
    for b in range(1 + is_retreat_phase(row[PHASE])):
        for p in range(size):
            unit = row[HEAD + b * size + p]
            if unit >= 0 and not fits(m, p, unit):
                return False
    return has_valid_phase(m, row)


cdef bint has_valid_phase(Map *m, int32_t *row) noexcept nogil:
    """Return whether the phase and the owners of a state are in range."""
    cdef int p, most = -1, size = m.provinces
    for p in range(size):
        most = max(most, row[HEAD + 4 * size + p])
    return most < m.powers and SPRING_MOVEMENT <= row[PHASE] <= ADJUSTMENTS


cdef int retreat_options(Map *m, int32_t *row, int here, int *found) noexcept nogil:
    """Find the places to which the unit dislodged in `here` may go; return how many."""
    cdef int size = m.provinces, unit = row[HEAD + size + here], k, many = 0, p
    cdef int source = row[HEAD + 2 * size + here]
    cdef int at = (unit & 1) * m.places + (unit >> PLACE_SHIFT & PLACE_MASK)
    for k in range(m.near_at[at], m.near_at[at + 1]):
        p = m.province_of[m.near[k]]
        if row[HEAD + p] < 0 and not row[HEAD + 3 * size + p] and p != source:
            if found != NULL:
                found[many] = m.near[k]
            many += 1
    return many


cdef void clear_dislodged(Map *m, int32_t *row) noexcept nogil:
    cdef int size = m.provinces
    memset(&row[HEAD + size], 255, 2 * size * sizeof(int32_t))
    memset(&row[HEAD + 3 * size], 0, size * sizeof(int32_t))


cdef int adjudicate_moves(
    Map *m, int32_t *row, int32_t *orders, int32_t *out, int32_t *by, bint reopen, KernelState *movement
) noexcept nogil:
    """Adjudicate moves; return whether retreats are due, or -1 for a unit out of range."""
    cdef int i, k, p, size = m.provinces, attacker, result, to, many_dislodged = 0
    cdef bint left = False
    cdef int16_t attackers[UNITS]
    cdef int16_t losers[UNITS]
    if not load_orders(m, row, orders, movement):
        return -1
    resolve_orders(movement)
    for i in range(movement.n):
        p = movement.here[i]
        result = find_outcome(movement, i)
        out[p] = result
        if result == MOVED:
            row[HEAD + p] = -1
        elif movement.rivals[p] >= 0:
            attacker = find_dislodger(movement, i)
            if attacker >= 0:
                attackers[many_dislodged] = attacker
                losers[many_dislodged] = i
                many_dislodged += 1
                by[p] = movement.here[attacker]
                row[HEAD + p] = -1
    for k in range(movement.moved):
        i = movement.movers[k]
        if movement.answers[i]:
            row[HEAD + movement.goal[i]] = pack_moved(movement, i, movement.to[i])
    if not many_dislodged:
        return False
    for k in range(movement.moved):
        to = movement.goal[movement.movers[k]]
        if row[HEAD + to] < 0 and not row[HEAD + 3 * size + to]:
            row[HEAD + 3 * size + to] = is_standoff(movement, to)
    for k in range(many_dislodged):
        i, attacker = losers[k], attackers[k]
        p = movement.here[i]
        row[HEAD + size + p] = pack_moved(movement, i, movement.place[i])
        row[HEAD + 2 * size + p] = movement.here[attacker]
        if reopen and movement.routed[attacker]:
            row[HEAD + 2 * size + p] += OPEN_SOURCE
        if retreat_options(m, row, p, NULL):
            left = True
        else:
            row[HEAD + size + p] = row[HEAD + 2 * size + p] = -1
    if not left:
        clear_dislodged(m, row)
    return left


cdef bint is_standoff(KernelState *movement, int to) noexcept nogil:
    """Return whether there was a standoff in the empty province `to`."""
    cdef int rival = movement.rivals[to]
    while rival >= 0:
        if prevent_strength(movement, rival).low:
            return True
        rival = movement.next_rival[rival]
    return False


cdef void adjudicate_retreats(Map *m, int32_t *row, int32_t *orders) noexcept nogil:
    cdef int p, k, many, size = m.provinces, unit, to
    cdef int options[4 * UNITS]
    cdef int16_t came[UNITS]
    cdef int16_t goal[UNITS]
    memset(came, 0, size * sizeof(int16_t))
    memset(goal, 255, size * sizeof(int16_t))
    for p in range(size):
        if row[HEAD + size + p] < 0 or orders[p] != RETREAT:
            continue
        many = retreat_options(m, row, p, options)
        for k in range(many):
            if options[k] == orders[2 * size + p]:
                goal[p] = options[k]
                came[m.province_of[options[k]]] += 1
    for p in range(size):
        if goal[p] >= 0 and came[m.province_of[goal[p]]] == 1:
            unit = row[HEAD + size + p]
            row[HEAD + m.province_of[goal[p]]] = (
                unit & ~(PLACE_MASK << PLACE_SHIFT) | goal[p] << PLACE_SHIFT
            )
    clear_dislodged(m, row)


cdef int find_build_sites(Map *m, int32_t *row, int power, int *found) noexcept nogil:
    cdef int k, p, many = 0
    for k in range(m.homes_at[power], m.homes_at[power + 1]):
        p = m.homes[k]
        if row[HEAD + p] < 0 and row[HEAD + 4 * m.provinces + p] == power:
            if found != NULL:
                found[many] = p
            many += 1
    return many


cdef bint find_owed(Map *m, int32_t *row, int *balance) noexcept nogil:
    """Set what each power may build or must disband; return whether there is anything to do."""
    cdef int p, power, free_sites, size = m.provinces
    cdef bint some = False
    memset(balance, 0, m.powers * sizeof(int))
    for p in range(size):
        if row[HEAD + p] >= 0:
            balance[row[HEAD + p] >> POWER_SHIFT] -= 1
        if row[HEAD + 4 * size + p] >= 0:
            balance[row[HEAD + 4 * size + p]] += 1
    for power in range(m.powers):
        if balance[power] > 0:
            free_sites = find_build_sites(m, row, power, NULL)
            balance[power] = min(balance[power], free_sites)
        some = some or balance[power] != 0
    return some


cdef void close_year(Map *m, int32_t *row, int *scratch) noexcept nogil:
    cdef int p, size = m.provinces, most = 0, power, leaders = 0
    for p in range(size):
        if m.centers[p] and row[HEAD + p] >= 0:
            row[HEAD + 4 * size + p] = row[HEAD + p] >> POWER_SHIFT
    memset(scratch, 0, m.powers * sizeof(int))
    for p in range(size):
        if row[HEAD + 4 * size + p] >= 0:
            scratch[row[HEAD + 4 * size + p]] += 1
    for power in range(m.powers):
        if scratch[power] > most:
            most = scratch[power]
    for power in range(m.powers):
        leaders += scratch[power] == most
    if most >= m.victory and leaders == 1:
        for power in range(m.powers):
            if scratch[power] == most:
                row[WINNER] = power
    row[PHASE] = ADJUSTMENTS
    if not find_owed(m, row, scratch):
        row[YEAR] += 1
        row[PHASE] = SPRING_MOVEMENT


cdef void adjudicate_adjustments(
    Map *m, int32_t *row, int32_t *orders, int removal, int *balance
) noexcept nogil:
    cdef int power, count, k, p, kind, to, many, size = m.provinces
    cdef int open_sites[UNITS]
    cdef bint fits
    find_owed(m, row, balance)
    for power in range(m.powers):
        count = balance[power]
        if count > 0:
            many = find_build_sites(m, row, power, open_sites)
            for k in range(many):
                p = open_sites[k]
                if not count or orders[p] != BUILD:
                    continue
                kind, to = orders[size + p], orders[2 * size + p]
                fits = kind == 0 and to == p
                if kind == 1:
                    fits = is_landing(m, p, to)
                if fits:
                    row[HEAD + p] = power << POWER_SHIFT | to << PLACE_SHIFT | kind
                    count -= 1
        elif count < 0:
            for p in range(size):
                if count and row[HEAD + p] >= 0 and row[HEAD + p] >> POWER_SHIFT == power:
                    if orders[p] == DISBAND:
                        row[HEAD + p] = -1
                        count += 1
            if count:
                remove_units(m, row, power, removal, -count)


cdef bint is_landing(Map *m, int p, int to) noexcept nogil:
    cdef int k
    for k in range(m.landings_at[p], m.landings_at[p + 1]):
        if m.landings[k] == to:
            return True
    return False


cdef void remove_units(Map *m, int32_t *row, int power, int removal, int count) noexcept nogil:
    """Remove `count` units of `power` by the rule for civil disorder."""
    cdef int p, best, far, best_far, unit, size = m.provinces
    cdef int distance[UNITS]
    if removal:
        measure_distances(m, row, power, distance)
    while count > 0:
        best = -1
        best_far = 0
        for p in range(size):
            unit = row[HEAD + p]
            if unit < 0 or unit >> POWER_SHIFT != power:
                continue
            if removal:
                far = distance[p]
            elif unit & 1:
                far = m.sail_steps[power * m.places + (unit >> PLACE_SHIFT & PLACE_MASK)]
            else:
                far = m.walk_steps[power * size + p]
            if best < 0 or far > best_far or (far == best_far and is_removed_sooner(m, row, p, best)):
                best = p
                best_far = far
        if best < 0:
            return
        row[HEAD + best] = -1
        count -= 1


cdef bint is_removed_sooner(Map *m, int32_t *row, int p, int other) noexcept nogil:
    if (row[HEAD + p] & 1) != (row[HEAD + other] & 1):
        return row[HEAD + p] & 1
    return m.rank[p] < m.rank[other]


cdef void measure_distances(Map *m, int32_t *row, int power, int *distance) noexcept nogil:
    """Set every province's distance to the nearest center that `power` owns."""
    cdef int p, w, near, head = 0, tail = 0
    cdef int queue[UNITS]
    cdef word left
    for p in range(m.provinces):
        distance[p] = FAR
        if row[HEAD + 4 * m.provinces + p] == power:
            distance[p] = 0
            queue[tail] = p
            tail += 1
    while head < tail:
        p = queue[head]
        head += 1
        for w in range(m.broad):
            left = m.around[p * m.broad + w]
            while left:
                near = (w << 6) + lowest(left)
                left &= left - 1
                if distance[near] == FAR:
                    distance[near] = distance[p] + 1
                    queue[tail] = near
                    tail += 1


cdef bint adjudicate_phase(
    Map *m,
    int32_t *row,
    int32_t *orders,
    int32_t *out,
    int32_t *by,
    bint reopen,
    int removal,
    KernelState *movement,
    int *scratch,
) noexcept nogil:
    """Adjudicate one phase of any kind; return whether the state was sound."""
    cdef int now = row[PHASE], due
    if is_movement_phase(now):
        if not has_valid_phase(m, row):
            return False
        clear_dislodged(m, row)
        due = adjudicate_moves(m, row, orders, out, by, reopen, movement)
        if due:
            row[PHASE] += 1
            return due > 0
    elif not is_valid(m, row):
        return False
    elif is_retreat_phase(now):
        adjudicate_retreats(m, row, orders)
    else:
        adjudicate_adjustments(m, row, orders, removal, scratch)
        row[YEAR] += 1
        row[PHASE] = SPRING_MOVEMENT
        return True
    if now < FALL_MOVEMENT:
        row[PHASE] = FALL_MOVEMENT
    else:
        close_year(m, row, scratch)
    return True


def adjudicate(
    table,
    const int32_t[::1] states,
    const int32_t[::1] orders,
    int32_t[::1] after,
    int32_t[::1] outcomes,
    int32_t[::1] dislodgers,
    bint reopen=0,
    int removal=0,
):
    """Adjudicate a batch of states; see `batch.adjudicate`."""
    cdef Native native = load_native(table)
    cdef Map *m = &native.map
    cdef Py_ssize_t n, wide = HEAD + 5 * m.provinces, size = m.provinces
    cdef Py_ssize_t many = states.shape[0] // wide
    cdef Py_ssize_t wrong = -1
    cdef KernelState *movement
    cdef int *scratch
    if many == 0:
        return
    if (
        orders.shape[0] < many * 3 * size
        or after.shape[0] < many * wide
        or min(outcomes.shape[0], dislodgers.shape[0]) < many * size
    ):
        raise ValueError("an array is too short for the batch")
    movement = <KernelState *>malloc(sizeof(KernelState))
    scratch = <int *>malloc((m.powers + 1) * sizeof(int))
    if movement == NULL or scratch == NULL:
        free(movement)
        free(scratch)
        raise MemoryError
    with nogil:
        memset(&outcomes[0], 255, many * size * sizeof(int32_t))
        memset(&dislodgers[0], 255, many * size * sizeof(int32_t))
        memcpy(&after[0], &states[0], many * wide * sizeof(int32_t))
        for n in range(many):
            if not adjudicate_phase(
                m,
                &after[n * wide],
                <int32_t *>&orders[n * 3 * size],
                &outcomes[n * size],
                &dislodgers[n * size],
                reopen,
                removal,
                movement,
                scratch,
            ):
                wrong = n
                break
    free(movement)
    free(scratch)
    if wrong >= 0:
        raise ValueError(f"state {wrong} of the batch holds a number out of range")


# Listing.


cdef struct Listing:
    int32_t *rows
    Py_ssize_t many, room
    bint full
    int32_t units[UNITS]
    word connected[UNITS][WORDS]       # by province: seas an army there could use
    word by_sea[UNITS][WORDS]       # by province: where they could carry it
    word fleets[WORDS]
    int standing[UNITS]
    int many_standing
    int convoyable[UNITS]              # armies that some fleet could carry
    int many_convoyable
    word needed[UNITS][WORDS]       # of one army: seas by goal
    int steps
    int *routes                     # an army and a goal for each possible convoy
    word *route_seas                   # and the seas that could be needed for it
    int many_routes, room_routes


cdef inline void add_row(Listing *x, int here, int code, int target, int to) noexcept nogil:
    cdef int32_t *more
    if x.many == x.room:
        more = <int32_t *>realloc(x.rows, 8 * x.room * sizeof(int32_t))
        if more == NULL:
            x.full = True
            return
        x.rows = more
        x.room *= 2
    more = &x.rows[4 * x.many]
    more[0] = here
    more[1] = code
    more[2] = target
    more[3] = to
    x.many += 1


cdef bint find_connected_seas(Map *m, int start, word *fleets, word *reached) noexcept nogil:
    """Set those of `fleets` that an army in `start` could reach; return whether any."""
    cdef word fresh[WORDS]
    cdef word onward[WORDS]
    cdef word left, some = 0
    cdef int w, x, sea
    memset(reached, 0, m.wide * sizeof(word))
    if not m.ports[start]:
        return False
    for w in range(m.wide):
        fresh[w] = reached[w] = fleets[w] & m.shores[start * m.wide + w]
        some |= fresh[w]
    if not some:
        return False
    while some:
        memset(onward, 0, m.wide * sizeof(word))
        for w in range(m.wide):
            left = fresh[w]
            while left:
                sea = (w << 6) + lowest(left)
                left &= left - 1
                for x in range(m.wide):
                    onward[x] |= m.sea_links[sea * m.wide + x]
        some = 0
        for w in range(m.wide):
            fresh[w] = onward[w] & fleets[w] & ~reached[w]
            reached[w] |= fresh[w]
            some |= fresh[w]
    return True


cdef void find_landings(Map *m, int start, word *fleets, word *goals) noexcept nogil:
    """Set the provinces to which `fleets`, all within reach, could carry from `start`."""
    cdef word left
    cdef int w, x, sea
    memset(goals, 0, m.broad * sizeof(word))
    for w in range(m.wide):
        left = fleets[w]
        while left:
            sea = (w << 6) + lowest(left)
            left &= left - 1
            for x in range(m.broad):
                goals[x] |= m.sea_ports[sea * m.broad + x]
    goals[start >> 6] &= ~((<word>1) << (start & 63))


cdef inline bint has_bit(word *mask, int one) noexcept nogil:
    return mask[one >> 6] >> (one & 63) & 1


cdef void list_moves(Map *m, int32_t *row, Listing *x) noexcept nogil:
    cdef int p, k, unit, at, here, to, w, other, s
    cdef word left
    x.many_standing = x.many_convoyable = 0
    memset(x.fleets, 0, sizeof(x.fleets))
    for p in range(m.provinces):
        unit = row[HEAD + p]
        x.units[p] = unit
        if unit >= 0:
            x.standing[x.many_standing] = p
            x.many_standing += 1
            if unit & 1 and m.sea_of[p] >= 0:
                x.fleets[m.sea_of[p] >> 6] |= (<word>1) << (m.sea_of[p] & 63)
    for k in range(x.many_standing):
        p = x.standing[k]
        memset(x.by_sea[p], 0, m.broad * sizeof(word))
        memset(x.connected[p], 0, m.wide * sizeof(word))
        if not x.units[p] & 1 and find_connected_seas(m, p, x.fleets, x.connected[p]):
            find_landings(m, p, x.connected[p], x.by_sea[p])
            x.convoyable[x.many_convoyable] = p
            x.many_convoyable += 1
    x.many_routes = 0
    for k in range(x.many_convoyable):
        find_needed(m, x, x.convoyable[k])
    for s in range(x.many_standing):
        here = x.standing[s]
        unit = x.units[here]
        at = (unit & 1) * m.places + (unit >> PLACE_SHIFT & PLACE_MASK)
        add_row(x, here, HOLD, 0, 0)
        for k in range(m.near_at[at], m.near_at[at + 1]):
            add_row(x, here, MOVE, 0, m.near[k])
        for w in range(m.broad):
            left = x.by_sea[here][w]
            while left:
                to = (w << 6) + lowest(left)
                left &= left - 1
                if not m.walks[here * m.provinces + to]:
                    add_row(x, here, MOVE, 0, to)
        for k in range(m.near_at[at], m.near_at[at + 1]):
            to = m.near[k]
            if not unit & 1 and has_bit(x.by_sea[here], to):
                add_row(x, here, MOVE_VIA, 0, to)
        for k in range(m.reach_at[at], m.reach_at[at + 1]):
            other = m.reach[k]
            if x.units[other] >= 0:
                add_row(x, here, SUPPORT_HOLD, other, 0)
        list_supports(m, x, here)
        if unit & 1 and m.sea_of[here] >= 0:
            list_convoys(m, x, here)


cdef void list_supports(Map *m, Listing *x, int here) noexcept nogil:
    cdef int unit = x.units[here], at = (unit & 1) * m.places + (unit >> PLACE_SHIFT & PLACE_MASK)
    cdef int s, k, w, other, to, sea = m.sea_of[here] if unit & 1 else -1, target
    cdef word reach[WORDS]
    cdef word goals[WORDS]
    cdef word *by_sea
    cdef word left
    memset(reach, 0, sizeof(reach))
    for k in range(m.reach_at[at], m.reach_at[at + 1]):
        to = m.reach[k]
        reach[to >> 6] |= (<word>1) << (to & 63)
    for s in range(x.many_standing):
        other = x.standing[s]
        if other == here:
            continue
        target = x.units[other]
        at = (target & 1) * m.places + (target >> PLACE_SHIFT & PLACE_MASK)
        for k in range(m.near_at[at], m.near_at[at + 1]):
            if has_bit(reach, m.province_of[m.near[k]]):
                add_row(x, here, SUPPORT_MOVE, other, m.near[k])
        if target & 1:
            continue
        by_sea = x.by_sea[other]
        if sea >= 0 and has_bit(x.connected[other], sea):
            find_goals_without(m, x, other, sea, goals)
            by_sea = goals
        for w in range(m.broad):
            left = by_sea[w] & reach[w]
            while left:
                to = (w << 6) + lowest(left)
                left &= left - 1
                if not m.walks[other * m.provinces + to]:
                    add_row(x, here, SUPPORT_MOVE, other, to)


cdef void find_goals_without(Map *m, Listing *x, int army, int sea, word *goals) noexcept nogil:
    """Set where the fleets could carry `army` without the one in `sea`."""
    cdef word fleets[WORDS]
    cdef word reached[WORDS]
    memcpy(fleets, x.fleets, m.wide * sizeof(word))
    fleets[sea >> 6] &= ~((<word>1) << (sea & 63))
    find_connected_seas(m, army, fleets, reached)
    find_landings(m, army, reached, goals)


cdef void find_needed(Map *m, Listing *x, int start) noexcept nogil:
    """Add every convoy from `start` with the seas that could be needed for it."""
    cdef int w, goal
    cdef word left
    find_chains(m, x, start)
    for w in range(m.broad):
        left = x.by_sea[start][w]
        while left:
            goal = (w << 6) + lowest(left)
            left &= left - 1
            add_route(m, x, start, goal)


cdef void find_chains(Map *m, Listing *x, int start) noexcept nogil:
    """Set the seas that could be needed to each goal of a convoy from `start`."""
    cdef int w, sea, goal
    cdef word chain[WORDS]
    cdef word free_seas[WORDS]
    cdef word landed[WORDS]
    cdef word left
    for w in range(m.broad):
        left = x.by_sea[start][w]
        while left:
            goal = (w << 6) + lowest(left)
            left &= left - 1
            memset(x.needed[goal], 0, m.wide * sizeof(word))
    x.steps = 0
    for w in range(m.wide):
        free_seas[w] = x.fleets[w] & ~m.shores[start * m.wide + w]
    memset(landed, 0, m.broad * sizeof(word))
    landed[start >> 6] |= (<word>1) << (start & 63)
    for w in range(m.wide):
        left = x.fleets[w] & m.shores[start * m.wide + w]
        while left:
            sea = (w << 6) + lowest(left)
            left &= left - 1
            memset(chain, 0, m.wide * sizeof(word))
            chain[sea >> 6] |= (<word>1) << (sea & 63)
            follow_chain(m, x, chain, sea, free_seas, landed)


cdef void add_route(Map *m, Listing *x, int start, int goal) noexcept nogil:
    cdef int *routes = x.routes
    cdef word *route_seas = x.route_seas
    cdef int room = x.room_routes
    if x.many_routes == room:
        room = 2 * room + 64
        routes = <int *>realloc(x.routes, 2 * room * sizeof(int))
        if routes != NULL:
            x.routes = routes
        route_seas = <word *>realloc(x.route_seas, room * m.wide * sizeof(word))
        if route_seas != NULL:
            x.route_seas = route_seas
        if routes == NULL or route_seas == NULL:
            x.full = True
            return
        x.room_routes = room
    routes[2 * x.many_routes] = start
    routes[2 * x.many_routes + 1] = goal
    memcpy(
        &route_seas[x.many_routes * m.wide],
        needed_seas(x, start, goal),
        m.wide * sizeof(word),
    )
    x.many_routes += 1


cdef inline word *needed_seas(Listing *x, int start, int goal) noexcept nogil:
    return &x.connected[start][0] if x.steps > MAX_STEPS else &x.needed[goal][0]


cdef void follow_chain(
    Map *m, Listing *x, word *chain, int last, word *free_seas, word *landed
) noexcept nogil:
    """Follow every way onward from `chain` without shortcuts; see `convoy_routes.convoy_fleets`."""
    cdef word longer[WORDS]
    cdef word onward[WORDS]
    cdef word rest[WORDS]
    cdef word touched[WORDS]
    cdef word left
    cdef int w, v, goal, sea
    cdef bint some = False
    x.steps += 1
    if x.steps > MAX_STEPS:
        return
    for w in range(m.broad):
        left = m.sea_ports[last * m.broad + w]
        touched[w] = landed[w] | left
        left &= ~landed[w]
        while left:
            goal = (w << 6) + lowest(left)
            left &= left - 1
            for v in range(m.wide):
                x.needed[goal][v] |= chain[v]
    for w in range(m.wide):
        onward[w] = free_seas[w] & m.sea_links[last * m.wide + w]
        rest[w] = free_seas[w] & ~onward[w]
    for w in range(m.wide):
        left = onward[w]
        while left:
            sea = (w << 6) + lowest(left)
            left &= left - 1
            memcpy(longer, chain, m.wide * sizeof(word))
            longer[sea >> 6] |= (<word>1) << (sea & 63)
            follow_chain(m, x, longer, sea, rest, touched)


cdef void list_convoys(Map *m, Listing *x, int here) noexcept nogil:
    cdef int k, sea = m.sea_of[here]
    for k in range(x.many_routes):
        if has_bit(&x.route_seas[k * m.wide], sea):
            add_row(x, here, CONVOY, x.routes[2 * k], x.routes[2 * k + 1])


cdef void list_retreats(Map *m, int32_t *row, Listing *x) noexcept nogil:
    cdef int here, k, many
    cdef int options[4 * UNITS]
    for here in range(m.provinces):
        if row[HEAD + m.provinces + here] >= 0:
            add_row(x, here, DISBAND, 0, 0)
            many = retreat_options(m, row, here, options)
            for k in range(many):
                add_row(x, here, RETREAT, 0, options[k])


cdef void list_adjustments(Map *m, int32_t *row, Listing *x, int *balance) noexcept nogil:
    cdef int here, k, unit, power, size = m.provinces
    find_owed(m, row, balance)
    for here in range(size):
        unit = row[HEAD + here]
        power = m.home[here]
        if unit >= 0:
            if balance[unit >> POWER_SHIFT] < 0:
                add_row(x, here, DISBAND, 0, 0)
        elif (
            power >= 0
            and m.centers[here]
            and balance[power] > 0
            and row[HEAD + 4 * size + here] == power
        ):
            add_row(x, here, BUILD, 0, here)
            for k in range(m.landings_at[here], m.landings_at[here + 1]):
                add_row(x, here, BUILD, 1, m.landings[k])


cdef void list_orders(Map *m, int32_t *row, Listing *x, int *scratch) noexcept nogil:
    if is_movement_phase(row[PHASE]):
        list_moves(m, row, x)
    elif row[PHASE] == ADJUSTMENTS:
        list_adjustments(m, row, x, scratch)
    else:
        list_retreats(m, row, x)


cdef Listing *open_listing() except NULL:
    cdef Listing *x = <Listing *>calloc(1, sizeof(Listing))
    if x == NULL:
        raise MemoryError
    x.room = 4096
    x.rows = <int32_t *>malloc(4 * x.room * sizeof(int32_t))
    if x.rows == NULL:
        free(x)
        raise MemoryError
    return x


cdef void close_listing(Listing *x) noexcept:
    free(x.rows)
    free(x.routes)
    free(x.route_seas)
    free(x)


def list_batch(table, const int32_t[::1] states):
    """List the legal orders of a batch of states; see `batch.legal_orders`."""
    cdef Native native = load_native(table)
    cdef Map *m = &native.map
    cdef Py_ssize_t n, wide = HEAD + 5 * m.provinces, many = states.shape[0] // wide
    cdef Py_ssize_t wrong = -1
    cdef array.array offsets = array.clone(arrays.array("i"), many + 1, True)
    cdef array.array rows
    cdef array.array scratch = array.clone(arrays.array("i"), m.powers + 1, True)
    cdef int *starts = offsets.data.as_ints
    cdef int *balance = scratch.data.as_ints
    cdef Listing *x = open_listing()
    try:
        with nogil:
            for n in range(many):
                if not is_valid(m, <int32_t *>&states[n * wide]):
                    wrong = n
                    break
                list_orders(m, <int32_t *>&states[n * wide], x, balance)
                starts[n + 1] = x.many
        if wrong >= 0:
            raise ValueError(f"state {wrong} of the batch holds a number out of range")
        if x.full:
            raise MemoryError
        rows = array.clone(arrays.array("i"), 4 * x.many, False)
        memcpy(rows.data.as_ints, x.rows, 4 * x.many * sizeof(int32_t))
    finally:
        close_listing(x)
    return offsets, rows


# One position of values.


def resolve(table, units, orders, bint checked=True, bint reopen=False):
    """Decide the orders of one movement phase; see `adjudication.resolve`."""
    cdef Native native = load_native(table)
    cdef Map *m = &native.map
    cdef KernelState movement
    cdef int i
    movement.map = m
    if not load_units(m, table.place_of, table.power_of, units, &movement):
        return None
    if not read_orders(m, table.place_of, table.power_of, orders, checked, &movement):
        return None
    with nogil:
        resolve_orders(&movement)
    return (
        [find_outcome(&movement, i) for i in range(movement.n)],
        [movement.answers[i] for i in range(movement.n)],
        [movement.paradox_failed[i] + 2 * movement.paradox_stopped[i] for i in range(movement.n)],
        *find_aftermath(m, &movement, reopen),
    )


cdef int pack_unit(dict place_of, dict power_of, unit) except -2:
    """Return a unit as one integer, or -1 if the board has no such place or power."""
    kind = unit.kind
    place, power = place_of.get(unit.location), power_of.get(unit.power)
    if place is None or power is None or not (kind is ARMY_KIND or kind is FLEET_KIND):
        return -1
    return <int>power << POWER_SHIFT | <int>place << PLACE_SHIFT | (kind is FLEET_KIND)


cdef object ARMY_KIND = UnitKind.ARMY
cdef object FLEET_KIND = UnitKind.FLEET


cdef bint load_units(Map *m, dict place_of, dict power_of, units, KernelState *movement) except -1:
    """Set the units of a movement phase; return whether no two share a province."""
    cdef int n = 0, code, p
    memset(movement.at, 255, m.provinces * sizeof(int16_t))
    for unit in units:
        code = pack_unit(place_of, power_of, unit)
        if code < 0 or n == UNITS:
            return False
        p = m.province_of[code >> PLACE_SHIFT & PLACE_MASK]
        if movement.at[p] >= 0:
            return False
        movement.at[p] = n
        movement.here[n] = p
        movement.place[n] = code >> PLACE_SHIFT & PLACE_MASK
        movement.kind[n] = code & 1
        movement.power[n] = code >> POWER_SHIFT
        n += 1
    movement.n = n
    return True


cdef int find_number(Map *m, dict place_of, dict power_of, KernelState *movement, unit) except -2:
    """Return the number of the unit that is exactly as named, or -1."""
    cdef int code = pack_unit(place_of, power_of, unit), i
    if code < 0:
        return -1
    i = movement.at[m.province_of[code >> PLACE_SHIFT & PLACE_MASK]]
    if i < 0 or pack_moved(movement, i, movement.place[i]) != code:
        return -1
    return i


cdef bint read_orders(
    Map *m, dict place_of, dict power_of, orders, bint checked, KernelState *movement
) except -1:
    """Set the orders of a movement phase; return whether all could be read.

    If `checked`, they must be in the listing, and no two for one unit may differ.
    """
    cdef int i, code, target, to
    cdef Listing *x = open_sea_listing(m, movement) if checked else NULL
    memset(movement.code, 255, movement.n * sizeof(int16_t))
    try:
        for order in orders:
            kind = type(order)
            target, to = -1, 0
            if kind is Move:
                code = MOVE_VIA if order.via_convoy else MOVE
                if checked and order.path:
                    return False
            elif kind is SupportMove:
                code = SUPPORT_MOVE
            elif kind is SupportHold:
                code = SUPPORT_HOLD
            elif kind is Hold:
                code = HOLD
            elif kind is Convoy:
                code = CONVOY
            else:
                return False
            i = find_number(m, place_of, power_of, movement, order.unit)
            if i < 0:
                return False
            if code >= SUPPORT_HOLD:
                target = find_number(m, place_of, power_of, movement, order.target)
                if target < 0:
                    return False
            if code != HOLD and code != SUPPORT_HOLD:
                place = place_of.get(order.to)
                if place is None:
                    return False
                to = place
            if checked and not is_listed(m, movement, x, i, code, target, to):
                return False
            target = movement.here[target] if target >= 0 else 0
            if movement.code[i] >= 0 and not (
                movement.code[i] == code and movement.target[i] == target and movement.to[i] == to
            ):
                return False
            movement.code[i] = code
            movement.target[i] = target
            movement.to[i] = to
    finally:
        free(x)
    for i in range(movement.n):
        if movement.code[i] < 0:
            movement.code[i] = movement.target[i] = movement.to[i] = 0
    return True


cdef Listing *open_sea_listing(Map *m, KernelState *movement) except NULL:
    """Return a listing that has only the fleets at sea."""
    cdef Listing *x = <Listing *>malloc(sizeof(Listing))
    cdef int i, sea
    if x == NULL:
        raise MemoryError
    memset(x.fleets, 0, sizeof(x.fleets))
    x.many_convoyable = -1
    for i in range(movement.n):
        sea = m.sea_of[movement.here[i]]
        if movement.kind[i] and sea >= 0:
            x.fleets[sea >> 6] |= (<word>1) << (sea & 63)
    return x


cdef inline bint contains(int *at, int *places, int row, int one) noexcept nogil:
    cdef int k
    for k in range(at[row], at[row + 1]):
        if places[k] == one:
            return True
    return False


cdef bint is_listed(
    Map *m, KernelState *movement, Listing *x, int i, int code, int j, int to
) noexcept nogil:
    """Return whether the listing has the order of unit `i`; `j` is the unit it names."""
    cdef int mine = movement.kind[i] * m.places + movement.place[i], goal = m.province_of[to], its, sea
    cdef bint near
    if code == HOLD:
        return True
    if code == MOVE or code == MOVE_VIA:
        near = contains(m.near_at, m.near, mine, to)
        if movement.kind[i] or (near and code == MOVE):
            return near and code == MOVE
        return near == (code == MOVE_VIA) and to == goal and can_carry(m, x.fleets, movement.here[i], to)
    if j == i:
        return False
    if code == SUPPORT_HOLD:
        return contains(m.reach_at, m.reach, mine, movement.here[j])
    its = movement.kind[j] * m.places + movement.place[j]
    sea = m.sea_of[movement.here[i]] if movement.kind[i] else -1
    if code == SUPPORT_MOVE:
        if not contains(m.reach_at, m.reach, mine, goal):
            return False
        if contains(m.near_at, m.near, its, to):
            return True
        if to != goal:
            return False
        if movement.kind[j]:
            return contains(m.reach_at, m.reach, its, goal)
        return can_carry_without(m, x, movement.here[j], to, sea)
    return sea >= 0 and not movement.kind[j] and to == goal and needs_fleet(m, x, movement.here[j], to, sea)


cdef bint can_carry(Map *m, word *fleets, int start, int goal) noexcept nogil:
    """Return whether `fleets` could convoy an army from `start` to `goal`."""
    cdef word reached[WORDS]
    cdef int w
    if start == goal or not m.ports[goal] or not find_connected_seas(m, start, fleets, reached):
        return False
    for w in range(m.wide):
        if reached[w] & m.shores[goal * m.wide + w]:
            return True
    return False


cdef bint can_carry_without(Map *m, Listing *x, int start, int goal, int sea) noexcept nogil:
    cdef word fleets[WORDS]
    memcpy(fleets, x.fleets, m.wide * sizeof(word))
    if sea >= 0:
        fleets[sea >> 6] &= ~((<word>1) << (sea & 63))
    return can_carry(m, fleets, start, goal)


cdef bint needs_fleet(Map *m, Listing *x, int start, int goal, int sea) noexcept nogil:
    """Return whether a convoy from `start` to `goal` could need the fleet in `sea`."""
    if not has_bit(x.fleets, sea) or not can_carry(m, x.fleets, start, goal):
        return False
    if x.many_convoyable != start:
        x.many_convoyable = start
        find_connected_seas(m, start, x.fleets, x.connected[start])
        find_landings(m, start, x.connected[start], x.by_sea[start])
        find_chains(m, x, start)
    return has_bit(needed_seas(x, start, goal), sea)


cdef tuple find_aftermath(Map *m, KernelState *movement, bint reopen):
    """Return the standoffs, the units where they are now, and the units dislodged."""
    cdef unsigned char closed[UNITS]
    cdef int32_t standing[4 * UNITS]
    cdef int i, k, p, attacker, source
    memset(closed, 0, m.provinces)
    memset(standing, 255, 2 * m.places * sizeof(int32_t))
    losers = []
    for i in range(movement.n):
        attacker = find_dislodger(movement, i)
        if attacker >= 0:
            losers.append((i, attacker))
            continue
        p = movement.to[i] if movement.goal[i] >= 0 and movement.answers[i] else movement.place[i]
        closed[m.province_of[p]] = 1
        standing[movement.kind[i] * m.places + m.alphabet[p]] = pack_moved(movement, i, p)
    standoffs = []
    for k in range(movement.moved):
        p = movement.goal[movement.movers[k]]
        if not closed[p] and is_standoff(movement, p):
            closed[p] = 1
            standoffs.append(p)
    dislodged = []
    for i, attacker in losers:
        source = -1 if reopen and movement.routed[attacker] else movement.here[attacker]
        k = movement.kind[i] * m.places + movement.place[i]
        places = [
            m.near[p]
            for p in range(m.near_at[k], m.near_at[k + 1])
            if not closed[m.province_of[m.near[p]]] and m.province_of[m.near[p]] != source
        ]
        dislodged.append((i, movement.here[attacker], places))
    units = [standing[k] for k in range(2 * m.places) if standing[k] >= 0]
    return standoffs, units, dislodged


# Random play.


cdef inline int draw_number(word *seed, int below) noexcept nogil:
    cdef word z
    seed[0] += <word>0x9E3779B97F4A7C15ULL
    z = seed[0]
    z = (z ^ z >> 30) * <word>0xBF58476D1CE4E5B9ULL
    z = (z ^ z >> 27) * <word>0x94D049BB133111EBULL
    return <int>(((z ^ z >> 31) >> 32) * below >> 32)


cdef inline void write_order(Map *m, int32_t *given, int32_t *one) noexcept nogil:
    given[one[0]] = one[1]
    given[m.provinces + one[0]] = one[2]
    given[2 * m.provinces + one[0]] = one[3]


cdef void draw_orders(
    Map *m, int32_t *row, Listing *x, word *seed, int32_t *given, int *balance
) noexcept nogil:
    cdef Py_ssize_t k = 0, end
    memset(given, 0, 3 * m.provinces * sizeof(int32_t))
    x.many = 0
    list_orders(m, row, x, balance)
    if row[PHASE] == ADJUSTMENTS:
        draw_adjustments(m, row, x, seed, given, balance)
        return
    while k < x.many:
        end = k
        while end < x.many and x.rows[4 * end] == x.rows[4 * k]:
            end += 1
        write_order(m, given, &x.rows[4 * (k + draw_number(seed, end - k))])
        k = end


cdef void draw_adjustments(
    Map *m, int32_t *row, Listing *x, word *seed, int32_t *given, int *balance
) noexcept nogil:
    cdef int places[UNITS]
    cdef int power, many, drawn, left, p, options
    cdef Py_ssize_t k
    for power in range(m.powers):
        many = 0
        for k in range(x.many):
            p = x.rows[4 * k]
            if (k == 0 or x.rows[4 * k - 4] != p) and owner_of(m, row, p) == power:
                places[many] = k
                many += 1
        left = abs(balance[power])
        while left > 0 and many > 0:
            drawn = draw_number(seed, many)
            k = places[drawn]
            many -= 1
            places[drawn] = places[many]
            options = 1
            while k + options < x.many and x.rows[4 * (k + options)] == x.rows[4 * k]:
                options += 1
            write_order(m, given, &x.rows[4 * (k + draw_number(seed, options))])
            left -= 1


cdef inline int owner_of(Map *m, int32_t *row, int p) noexcept nogil:
    return row[HEAD + p] >> POWER_SHIFT if row[HEAD + p] >= 0 else m.home[p]


def random_orders(table, const int32_t[::1] states, uint64_t[::1] seeds, int32_t[::1] orders):
    """Draw legal orders for a batch of states; see `batch.random_orders`."""
    cdef Native native = load_native(table)
    cdef Map *m = &native.map
    cdef Py_ssize_t n, wide = HEAD + 5 * m.provinces, many = states.shape[0] // wide
    cdef Py_ssize_t wrong = -1
    cdef array.array scratch = array.clone(arrays.array("i"), m.powers + 1, True)
    cdef int *balance = scratch.data.as_ints
    cdef Listing *x
    if seeds.shape[0] < many or orders.shape[0] < many * 3 * m.provinces:
        raise ValueError("an array is too short for the batch")
    x = open_listing()
    with nogil:
        for n in range(many):
            if not is_valid(m, <int32_t *>&states[n * wide]):
                wrong = n
                break
            draw_orders(
                m,
                <int32_t *>&states[n * wide],
                x,
                &seeds[n],
                &orders[n * 3 * m.provinces],
                balance,
            )
    close_listing(x)
    if wrong >= 0:
        raise ValueError(f"state {wrong} of the batch holds a number out of range")


def play(
    table,
    int32_t[::1] states,
    uint64_t[::1] seeds,
    int phases,
    const int32_t[::1] start,
):
    """Play random legal orders in place; see `batch.play`."""
    cdef Native native = load_native(table)
    cdef Map *m = &native.map
    cdef Py_ssize_t n, wide = HEAD + 5 * m.provinces, many = states.shape[0] // wide
    cdef Py_ssize_t wrong = -1
    cdef int k, size = m.provinces
    cdef array.array given = array.clone(arrays.array("i"), 5 * size, True)
    cdef array.array scratch = array.clone(arrays.array("i"), m.powers + 1, True)
    cdef int *balance = scratch.data.as_ints
    cdef int32_t *orders = <int32_t *>given.data.as_ints
    cdef int32_t *row
    cdef KernelState *movement
    cdef Listing *x
    if seeds.shape[0] < many or start.shape[0] < wide:
        raise ValueError("an array is too short for the batch")
    x = open_listing()
    movement = <KernelState *>malloc(sizeof(KernelState))
    if movement == NULL:
        close_listing(x)
        raise MemoryError
    with nogil:
        for n in range(many):
            row = &states[n * wide]
            if not is_valid(m, row):
                wrong = n
                break
            for k in range(phases):
                if row[WINNER] >= 0:
                    memcpy(row, &start[0], wide * sizeof(int32_t))
                draw_orders(m, row, x, &seeds[n], orders, balance)
                adjudicate_phase(
                    m, row, orders, &orders[3 * size], &orders[4 * size], False, 0, movement, balance
                )
    free(movement)
    close_listing(x)
    if wrong >= 0:
        raise ValueError(f"state {wrong} of the batch holds a number out of range")
