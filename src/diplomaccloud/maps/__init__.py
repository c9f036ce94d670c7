"""Maps: stored charts, the gallery, map pages, and making maps ahead of time.

A chart is stored once under its hash and never changed. The mapmaker is a process of its own: it
draws charts that have no pictures yet, measures their fairness, and keeps a stock of maps that
nobody has played. It chooses homes and centers by self-play of the greedy bot (`tournament`) and
then measures the finished map in 200 other games (`certification`). Pages that make a map ask a
separate process with a time limit, so that no web server loads the generator. Pictures are files
under a digest of the renderer's source, so a new renderer draws them again.
"""
