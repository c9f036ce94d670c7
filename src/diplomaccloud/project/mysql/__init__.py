"""A Django backend for MySQL and MariaDB that uses PyMySQL and compares text case-sensitively."""
