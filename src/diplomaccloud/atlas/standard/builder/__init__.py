"""Build the standard map: control points in, `europe.json` out.

Run this after changing `drawing/europe.txt`: `python -m diplomaccloud.atlas.standard.builder`.
Nothing here is imported to show a map.
"""
