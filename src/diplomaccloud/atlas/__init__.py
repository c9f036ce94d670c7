"""Maps as values: charts, the standard map, the generator, validation, fairness and drawing.

A `Chart` is a board with shapes: arcs shared by the two provinces beside them, anchors for names
and units, and a palette. The standard map and every generated map are charts, addressed by the
SHA-256 of their canonical JSON. `render.base` draws the fixed parts once per chart;
`render.overlay` draws what changes each turn.

The generator has one file per stage, each with its own random stream from one seed text. Stages
pass on values rounded to a fine grid, and choices depend on whole numbers, so a seed gives the same
bytes on every machine. Serving a page imports neither the generator nor scipy.

Charts, boards and SVG drawings need only the standard library. The generator, `validation`,
`crop` and PNG pictures need packages of the extra `site`.
"""
