"""How much work something is, counted instead of timed: the same on every machine."""

import cProfile


def count_calls(work):
    """Return what `work()` returns, and how many calls of Python functions it takes."""
    profile = cProfile.Profile(subcalls=False, builtins=False)
    answer = profile.runcall(work)
    return answer, sum(entry.callcount for entry in profile.getstats())
