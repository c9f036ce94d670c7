"""Where MySQL and MariaDB would answer otherwise than SQLite and PostgreSQL, and must not.

Their default collations hold `Alice`, `ALICE` and `Àlice ` for one name, in unique keys too. So
every table is made with the binary collation, whatever the database was made with, and only the
lookups that say so (`iexact`, `icontains` …) ignore case.
"""

from django.core.exceptions import ImproperlyConfigured

try:
    import pymysql
except ImportError as problem:
    raise ImproperlyConfigured(
        "MySQL and MariaDB need their driver: pip install 'diplomaccloud[mysql]'"
    ) from problem

pymysql.install_as_MySQLdb()

from django.db.backends.mysql import base, schema  # noqa: E402 they import the driver

_FOLDED = "COLLATE utf8mb4_general_ci"
_FOLDING = ("icontains", "istartswith", "iendswith")


class SchemaEditor(schema.DatabaseSchemaEditor):
    """Makes every table in the binary collation; a column takes that of its table."""

    @property
    def sql_create_table(self) -> str:  # type: ignore[override]
        """The statement, with the collation in which trailing spaces count too."""
        binary = "nopad_bin" if self.connection.mysql_is_mariadb else "0900_bin"
        charset = f"CHARACTER SET utf8mb4 COLLATE utf8mb4_{binary}"
        return f"CREATE TABLE %(table)s (%(definition)s) {charset}"


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose lookups know upper from lower case unless they are told not to."""

    SchemaEditorClass = SchemaEditor
    operators = base.DatabaseWrapper.operators | dict.fromkeys(
        ("iexact", *_FOLDING), f"LIKE %s {_FOLDED}"
    )
    pattern_ops = base.DatabaseWrapper.pattern_ops | {
        name: f"{base.DatabaseWrapper.pattern_ops[name]} {_FOLDED}" for name in _FOLDING
    }
