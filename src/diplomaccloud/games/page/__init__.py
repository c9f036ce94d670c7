"""The page of a game and its live stream, which know all features.

The page has five regions: a bar, a strip of powers, the map, a timeline, and a panel with tabs.
Without scripts they are stacked on one long page. A person's choices for the panel are attributes
of the root element, because answers replace everything inside `#play`.

The page must stay light (`tests/browser/test_page_budgets.py`): the shapes of provinces are one
file for all pictures of a map, hidden parts of the panel are fetched when they are shown or are
text inside `<folded-part><noscript>`, and the select of an order line has only the chosen order.
Scripts fill groups of a drawing instead of adding children to it, because then a browser would
style all of it again.
"""
