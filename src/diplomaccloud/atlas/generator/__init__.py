"""The map generator: the same seed always gives the same map.

`pipeline` runs the stages in order for the map that `map_spec` describes; `lands` has the stages
before homes and centers are placed. Each stage is a file and has its own random stream:

1. `mesh`: cover the map with small cells.
2. `elevation`: raise the ground, from layers of noise; later, the relief of the chart.
3. `land_and_sea`: choose the cells that are land.
4. `provinces`: divide land and sea; then `lands` adds islets.
5. `borders`: trace the borders; `drawn_map` draws them and the coasts.
6. `board_layout`: find which provinces touch, and where coasts are split.
7. `constraints`: reject unusable provinces; a finished map is checked there, too.
8. `center_placement`: choose homes and neutral centers among `possible_starts`, by `balance`.
9. `assembly`: choose the colors of the powers.
10. `names`: name everything, in invented languages and with the words of `water_kinds`.
11. `anchors`: find `free_space` for names, units and stars.

`assembly` puts the results together as a chart. `placement_candidates` is for comparing many
placements. All draw from `random_streams`.
"""
