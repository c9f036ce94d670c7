"""Roles for `launcher.py`: the processes of a site on several machines, with short leases."""

import datetime as dt
import os
from functools import cache, partial

from django.core.management import call_command

from diplomaccloud.accounts import mail_queue
from diplomaccloud.games.turn import claims
from diplomaccloud.notices import delivery
from diplomaccloud.worker import rounds
from diplomaccloud.worker.worker import Worker

LEASE_SECONDS = 3.0


def shorten_leases():
    """Shorten leases, so that claims of killed processes expire soon; avoid chance suspensions."""
    lease = dt.timedelta(seconds=LEASE_SECONDS)
    delivery.LEASE = mail_queue.LEASE = lease
    delivery.WEBHOOK_DELAYS = (dt.timedelta(seconds=0.5),) * 200
    mail_queue.RETRY_DELAYS = (dt.timedelta(seconds=0.5),) * 200
    claims.MAX_ATTEMPTS = 200
    rounds._find_worker = cache(partial(Worker, lease=lease))


def lead_group():
    """Lead a group of processes, as on a machine."""
    os.setpgid(0, 0)


def celery(name, queues, processes):
    """Be a Celery worker of some queues."""
    lead_group()
    shorten_leases()
    from diplomaccloud.worker.celery_app import app

    names = ["-n", name, "-Q", queues, "-c", str(processes), "--loglevel", "ERROR"]
    app.worker_main(["worker", *names, "--without-gossip", "--without-mingle"])


def beat():
    """Be the scheduler that requests rounds."""
    lead_group()
    from diplomaccloud.worker.celery_app import app

    app.start(["beat", "--loglevel", "ERROR", "--pidfile", ""])


def plain():
    """Be a worker without a broker."""
    lead_group()
    shorten_leases()
    call_command("worker", lease=LEASE_SECONDS)


ROLES = {"celery": celery, "beat": beat, "plain": plain}
