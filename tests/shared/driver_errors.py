"""Errors as the drivers of the databases raise them, and Django passes them on."""

from django.db import OperationalError


class DriverError(Exception):
    """Stands in for an error of any driver."""

    def __init__(self, *arguments, **attributes):
        super().__init__(*arguments)
        vars(self).update(attributes)


DEADLOCKS = {
    "MariaDB: a deadlock": ([1213, "Deadlock found"], {}),
    "MariaDB: a row has changed": ([1020, "Record has changed"], {}),
    "PostgreSQL: a deadlock": (["deadlock detected"], {"sqlstate": "40P01"}),
    "PostgreSQL: a serialization failure": (["could not serialize"], {"sqlstate": "40001"}),
    "SQLite: an old snapshot": (["locked"], {"sqlite_errorname": "SQLITE_BUSY_SNAPSHOT"}),
}
LOCK_TIMEOUTS = {
    "MariaDB: a lock": ([1205, "Lock wait timeout exceeded"], {}),
    "PostgreSQL: a lock": (["lock timeout"], {"sqlstate": "55P03"}),
    "SQLite: a lock": (["locked"], {"sqlite_errorname": "SQLITE_BUSY"}),
    "no cause": None,
}


def make_error(given):
    """Return Django's error for the arguments and attributes of the driver's."""
    error = OperationalError("failed")
    if given:
        arguments, attributes = given
        error.__cause__ = DriverError(*arguments, **attributes)
    return error
