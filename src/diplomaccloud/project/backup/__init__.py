"""Backups of a site: one file with the database and the small files beside it.

`archive` is the file, `servers` and `sqlite` copy a database, `making` and `restoring` are the
two commands, and `replaying` compares games of a restored database with their records.
"""
