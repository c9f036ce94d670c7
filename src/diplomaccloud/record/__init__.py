"""The record of a game that proves itself: chain, digests, committed secrets, signatures.

Pure values, like the judge: no framework, no clock, no database. `lines` has a function for each
kind of line, `chain` links them, and `verification` checks a finished record without the site.
The format is described in `docs/record.md`.
"""
