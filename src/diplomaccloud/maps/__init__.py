"""Maps: stored charts, the gallery, map pages, and making maps ahead of time.

A chart is stored once under its hash and never changed. The mapmaker is a separate process that
draws charts without pictures, measures how even they are, and keeps a stock of unplayed maps. It
chooses homes and centers through self-play of bots (`tournament`) and then measures the finished
map in other games of pinned bots (`measurement`, `certification`). Pages that make a map use
another process with a time limit, so that web servers never load the generator. Pictures are files
under a digest of the renderer's source, so a new renderer draws them again.
"""
