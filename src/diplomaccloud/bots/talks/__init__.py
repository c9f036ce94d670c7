"""Bots that negotiate: proposals, answers and promises as pure functions of what a bot may see.

A bot sees the position, the terms offered to it, its own deals and the ledger's findings on them.
It never sees messages or other powers' deals.

A bot searches with and without a deal, and the difference must exceed a price. It stabs only in
Fall, and only if the position is then worth 0.12 of a game more than with peace: at 0.09 and 0.06
many more deals were broken, and fewer stabs paid. While a grudge lasts, a plan is worth the bot's
own expectation minus the breaker's; this takes 0.020 ± 0.012 from a bot that keeps nothing, and
costs nothing.
"""
