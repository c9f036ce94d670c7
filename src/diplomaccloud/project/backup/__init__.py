"""Backups of a site: one file with the database and the small files next to it.

`archive` reads and writes the file, `databases` copies a database, and `making` and `restoring` are
the two commands. A restored site's games are compared with their records.

A backup is a ZIP file, because every system can read it and each member can be written as a stream.
The database's own tool dumps it in one snapshot; `dumpdata` would read one table after another.
"""
