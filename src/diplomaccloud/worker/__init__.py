"""The worker: processes due phases and runs background tasks.

Any number of workers can run. Each claims a due phase with a lease and processes it in one
transaction (`games.turn`), so if a worker is killed, nothing is lost and no phase is
processed twice. Workers read the time while they hold the game's lock, so orders are always
accepted before the time at which they are locked. A game whose processing fails is suspended and
does not affect other games.
"""
