"""Bots that negotiate: proposals, answers and promises as pure functions of what a bot may see.

A bot sees the position, the terms offered to it, its own deals and the ledger's findings on them.
It never sees messages or other powers' deals.
"""
