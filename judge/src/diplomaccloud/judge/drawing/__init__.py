"""Draw maps as SVG and PNG: a base map for each chart and an overlay for each position.

A turn changes a few arrows on a picture of about a hundred kilobytes. So the base is drawn once per
chart and theme, and served under the chart's content hash with a far-future cache header. The
overlay has the same view box and is part of the page, where style sheets, scripts and screen
readers reach it.

A `Chart` is a board with shapes; `map_file` reads one from text, and `europe` has the standard one.
"""
