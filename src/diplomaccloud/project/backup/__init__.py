"""Backups of a site: one file with the database and the small files next to it.

`archive` reads and writes the file, `servers` and `sqlite` copy a database, `making` and
`restoring` are the two commands, and `replaying` compares the games of a restored database with
their records.
"""
