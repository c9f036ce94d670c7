"""Reports and moderation: reporting a message, judging it, appealing, appointing moderators.

Imports go down: judgment, inspection, filing, texts, moderators, stops -> assignment, grounds ->
notification, locks, audit.
"""
