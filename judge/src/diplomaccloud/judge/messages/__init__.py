"""The judge's messages: keys with typed parameters, and their English sentences.

`values` has the messages, `catalog` the sentences; `english` fills in the parameters.
"""
