"""Bots that talk: what they propose, answer and promise, as pure functions of what they may see.

A bot sees the position, the terms offered to it, its own deals and what the ledger found about
them. It never sees a text, nor anything that is not its own.
"""
