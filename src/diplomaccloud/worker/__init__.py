"""The worker: processes due phases and runs background tasks.

Any number of workers can run. Each claims a due phase with a lease and processes it in one
transaction (`games.actions.phases`), so a killed worker loses nothing and no phase is processed
twice. What the worker does is dated by the moment it held the game's lock, so lock times are
monotonic with accepted orders. A game whose processing fails is suspended and stops no other game.
"""
