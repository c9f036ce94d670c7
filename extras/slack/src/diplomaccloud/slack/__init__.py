"""Orders by Slack: a person links a Slack account with a one-time code and sends orders from it.

Slack calls one address on the site. `views` checks the signature, handles each request once,
and reads it with the library slack-bolt, an optional extra; `commands` answers it through the
actions and reads of games, just as their pages do. Press is not bridged, because Slack cannot
hide names.
"""
