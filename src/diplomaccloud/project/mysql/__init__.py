"""Django's backend for MySQL and MariaDB, over PyMySQL, comparing text as the others do."""
