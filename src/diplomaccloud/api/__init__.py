"""The HTTP API: programs can do what players can do on the pages, under the same rules.

The API reads through the viewpoints and writes through the actions of `games` and `press`, and adds
no rules of its own about secrecy, deadlines or press. `calls` has a function for each operation,
`schemas` defines request bodies and answers, and `facts` fills the answers from viewpoints. `auth`
identifies the caller by token, `limits` limits request rates, `repeats` makes requests idempotent,
and `problems` turns refusals into RFC 9457 documents. `docs/http-api.md` is the guide for
programmers.
"""
