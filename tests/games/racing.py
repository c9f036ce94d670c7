"""Actions that begin in the same instant, in threads with connections of their own."""

import threading

from django.db import connections
from judge.tests.effort import PATIENCE


def run_together(*tasks):
    """Run the tasks in threads that start at once; return what each returned or raised."""
    barrier, answers = threading.Barrier(len(tasks)), [None] * len(tasks)

    def run(place, task):
        barrier.wait()
        try:
            answers[place] = task()
        except Exception as error:
            answers[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(tasks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return answers
