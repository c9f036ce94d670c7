"""The making of the standard map: control points in, `europe.json` out.

Run by a developer after changing `drawing/europe.txt`: `python -m
diplomaccloud.atlas.standard.builder`. Nothing here is imported when a map is shown.
"""
