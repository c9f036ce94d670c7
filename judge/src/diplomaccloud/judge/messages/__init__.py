"""The judge's messages: keys with typed parameters, and their English sentences.

`results`, `refusals`, `notation`, `limits`, `requests` and `endings` have the sentences of their
areas, and `catalog` has all of them. `english` fills in the parameters.
"""
