"""The map generator: the same seed always gives the same map.

`pipeline` runs the stages in order for the map that a `MapSpec` describes. Each
stage has its own random stream:

1. `mesh`: cover the map with small cells.
2. `land_and_sea`: raise the ground, from layers of noise; later, the relief of the chart.
3. `land_and_sea`: choose the cells that are land.
4. `provinces`: divide land and sea; then `pipeline` adds islets.
5. `borders`: trace the borders; `drawn_map` draws them and the coasts.
6. `borders`: find which provinces touch, and where coasts are split.
7. `constraints`: reject unusable provinces; a finished map is checked there, too.
8. `center_placement`: choose homes and neutral centers among the possible starts, by `balance`.
9. `assembly`: choose the colors of the powers.
10. `names`: name everything, in invented languages and with words for the kind of each water.
11. `anchors`: find free space for names, units and stars.

`assembly` puts the results together as a chart. `placement_candidates` is for comparing many
placements. All draw from `random_streams`.
"""
