"""The HTTP API: programs can do what players can do on the pages, under the same rules.

The API reads through the `read` modules and writes through the `actions` of `games` and `press`,
and adds no rules of its own about secrecy, deadlines or press. Each feature has one module, such as
`orders` or `lobby`: the schemas of its bodies and answers, its calls, and the functions that fill
the answers. `service` lists them all. `auth` identifies the caller by token and limits request
rates, `operations` makes requests idempotent, and `problems` turns refusals into RFC 9457
documents. `docs/http-api.md` is the guide for programmers.
"""
