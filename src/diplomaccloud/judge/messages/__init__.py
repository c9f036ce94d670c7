"""What the judge has to say: message keys with typed parameters, and their English sentences.

`results`, `refusals`, `notation`, `limits`, `requests` and `endings` have the sentences of their
areas, and `catalog` all of them. `english` puts the parameters into them.
"""
