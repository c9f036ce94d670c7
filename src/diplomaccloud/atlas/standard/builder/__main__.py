"""Write a new `europe.json` from the drawing."""

import sys

from diplomaccloud.atlas.standard import DATA, dump_standard
from diplomaccloud.atlas.standard.builder.assembly import make_standard_chart


def main() -> None:
    """Build the map, write it and print its size."""
    text = dump_standard(make_standard_chart())
    DATA.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{DATA.name}: {len(text.encode())} bytes\n")


if __name__ == "__main__":
    main()
