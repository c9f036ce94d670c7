"""Notices of what happened in a person's games, on the site and wherever the person wants them.

Game events become `Notice` rows, each unique by person and key, and these become `Delivery` rows,
one for each destination. Both happen in the transaction that marks the events as handled
(`consumer`), so a killed worker neither loses nor repeats anything. A delivery is claimed with a
lease and retried with the same id (`delivery`). Its text is composed when it is sent, from what the
person may see at that time (`wording`). Reminders are planned when a deadline is set, and the
player's missing orders are checked when a reminder is due and again when it is sent (`reminders`).
"""
