"""A backend that makes MySQL and MariaDB compare text like SQLite and PostgreSQL.

Their default collations treat `Alice`, `ALICE` and `Àlice ` as equal, even in unique keys. So
every table gets a binary collation, whatever the database's default is, and only lookups whose
name says so (`iexact`, `icontains` …) ignore case.
"""

from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.judge.version import tell_install

try:
    import pymysql
except ImportError as problem:
    raise ImproperlyConfigured(
        f"MySQL and MariaDB need their driver; in a checkout: {tell_install('site,mysql')}"
    ) from problem

pymysql.install_as_MySQLdb()

from django.db.backends.mysql import base, schema  # noqa: E402 they import the driver

_CASE_INSENSITIVE = "COLLATE utf8mb4_general_ci"
_CASE_INSENSITIVE_LOOKUPS = ("icontains", "istartswith", "iendswith")


class SchemaEditor(schema.DatabaseSchemaEditor):
    """Creates every table with a binary collation, which its columns inherit."""

    @property
    def sql_create_table(self) -> str:  # type: ignore[override]
        """The statement, with a collation in which trailing spaces matter."""
        binary = "nopad_bin" if self.connection.mysql_is_mariadb else "0900_bin"
        charset = f"CHARACTER SET utf8mb4 COLLATE utf8mb4_{binary}"
        return f"CREATE TABLE %(table)s (%(definition)s) {charset}"


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose lookups are case-sensitive unless their name says otherwise."""

    SchemaEditorClass = SchemaEditor
    operators = base.DatabaseWrapper.operators | dict.fromkeys(
        ("iexact", *_CASE_INSENSITIVE_LOOKUPS), f"LIKE %s {_CASE_INSENSITIVE}"
    )
    pattern_ops = base.DatabaseWrapper.pattern_ops | {
        name: f"{base.DatabaseWrapper.pattern_ops[name]} {_CASE_INSENSITIVE}"
        for name in _CASE_INSENSITIVE_LOOKUPS
    }
