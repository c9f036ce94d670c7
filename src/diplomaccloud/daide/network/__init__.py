"""DAIDE over TCP: a server for a table, and clients for players."""
