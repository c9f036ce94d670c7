"""Maps as values: map files and their checks, maps of setups, the generator, fairness.

A `Chart` is a board with shapes: arcs shared by the two provinces beside them, anchors for names
and units, and a palette. The standard map and every generated map are charts, addressed by the
SHA-256 of their canonical JSON. The judge has the value, the standard map and the renderer
(`judge.drawing`), and reads map files for drawing; here, strangers' files are checked.

The generator has one file per stage, each with its own random stream from one seed text. Stages
pass on values rounded to a fine grid, and choices depend on whole numbers, so a seed gives the same
bytes on every machine. Serving a page imports neither the generator nor scipy.

Map files need only the standard library. The generator, the geometry in `validation`, `crop` and
PNG pictures need packages of the extra `site`.
"""
