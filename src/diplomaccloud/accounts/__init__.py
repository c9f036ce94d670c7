"""Accounts: sign-up, log-in, passwords, status messages and outgoing mail."""
