"""The HTTP API: what a player can do on a page, a program can do over HTTP, by the same rules.

It reads through the viewpoints and writes through the actions of `games` and `press`, and has no
rule of secrecy, deadlines or press of its own. `calls` has a function for each operation, `schemas`
what they take and answer, `facts` fills the answers from viewpoints. `auth` knows who calls by a
token, `limits` how often, `repeats` gives a request that is sent twice one effect, and `problems`
words every refusal as RFC 9457 says. `docs/http-api.md` is the guide for those who write a program.
"""
