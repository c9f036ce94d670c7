"""Build the standard map: control points in `drawing.txt` in, the stored `europe.json` out.

Run this after changing the drawing: `.venv/bin/python scripts/europe`. Nothing here is imported to
show a map.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from europe.assembly import dump_standard, make_standard_chart

from diplomaccloud.judge.drawing.europe import DATA


def main() -> None:
    """Build the map, write it and print its size."""
    text = dump_standard(make_standard_chart())
    DATA.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{DATA.name}: {len(text.encode())} bytes\n")


if __name__ == "__main__":
    main()
