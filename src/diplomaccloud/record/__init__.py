"""Verifiable records of games: a hash chain, digests, commitments and signatures.

Like the judge, this package works on pure values, without a framework, a clock or a database.
`lines` has a function for each kind of line, `chain` links them, and `verification` checks a
finished record without the site. `docs/record.md` describes the format.
"""
