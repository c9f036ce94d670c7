"""Orders by Slack: a person links a Slack account with a one-time code and sends orders from there.

Slack calls one address of the site. `views` checks the signature and that each request is handled
once, `bolt` reads the request with the library slack-bolt, an optional extra, and `commands`
answers it through the actions and viewpoints of games, as their pages do. Press is not bridged:
Slack cannot hide names.
"""
