"""DAIDE over TCP: a server for a table, and a client for a player."""
