"""Notices: what happened in a person's games, on the site and wherever the person wants them.

The events of games are turned into `Notice` rows, each unique by person and key, and these into
`Delivery` rows, one for each destination. Both happen in the transaction that marks the events as
handled (`consumer`), so a killed worker loses and repeats nothing. A delivery is claimed with a
lease and tried again with the same id (`delivery`). Its text is composed when it is sent, from what
the person may see then (`wording`). Reminders are planned when a deadline is set, and what a player
owes is checked when they are due and again when they are sent (`reminders`).
"""
