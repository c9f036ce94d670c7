"""Draw maps as SVG and PNG: a base map for each chart and an overlay for each position."""
