"""The map generator: the same seed always gives the same map.

`pipeline` runs the stages in order for the map that `map_spec` describes; `lands` has the stages
before homes and centers are placed. Each stage is a file and has its own random stream:

1. `mesh`: cover the map with small cells.
2. `elevation`: raise the ground, from layers of `noise`.
3. `land_and_sea`: choose the cells that are land.
4. `provinces`: divide land and sea, by `partition` and `border_repair`; then `islets` are added.
5. `borders` and `coastlines`: trace and draw the borders; `drawn_map` has the result.
6. `board_layout`: find which provinces touch, and where coasts are split.
7. `layout_constraints`: reject unusable provinces. A finished map is checked by
   `constraints` and `drawing_constraints`.
8. `center_placement`: choose homes and neutral centers among `possible_starts`, by `balance`.
9. `power_colors`: choose the colors of the powers.
10. `names`: name everything, in the `languages` and with the words of `water_kinds`.
11. `anchors`: find `free_space` for names, units and stars.

`assembly` puts the results together as a chart, with the heights of `relief`.
`placement_candidates` and `placement_changes` are for comparing many placements.
"""
