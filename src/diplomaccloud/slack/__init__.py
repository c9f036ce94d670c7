"""Orders by Slack: a person links a Slack account with a one-time code and sends orders from it.

Slack calls one address on the site. `views` checks the signature and handles each request once,
`bolt` reads the request with the library slack-bolt, an optional extra, and `commands` answers it
through the actions and viewpoints of games, just as their pages do. Press is not bridged, because
Slack cannot hide names.
"""
