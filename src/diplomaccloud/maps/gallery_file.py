"""The file of shipped maps: charts with certificates and small pictures, which every site loads.

It is a zip file. `index.json` lists the maps in the order in which they were made, and each map has
a folder named by its hash: `chart.json` without the numbers that compress badly as text, `points`
(the steps along its lines), `relief` (the steps between neighboring heights), `certificate.json`,
and pictures. A map for seven takes about 70 kB, and the same maps always give the same bytes.
"""

import base64
import json
import struct
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import accumulate, pairwise
from lzma import LZMAError
from pathlib import Path
from typing import Any, Final

from diplomaccloud.atlas.chartfile import hash_text
from diplomaccloud.judge.cli.commands import write_atomically
from diplomaccloud.judge.codec import CodecError, Node
from diplomaccloud.maps.measurement import (
    Measurement,
    measurement_from_json,
    measurement_to_json,
)

SHIPPED_MAPS: Final = Path(__file__).with_name("shipped_maps.zip")
"""The maps that come with this release."""

MAX_BYTES: Final = 8_000_000
"""The largest file that may come with a release."""

_FORMAT: Final = "diplomaccloud shipped maps"
_FORM: Final = 1
_INDEX: Final = "index.json"
_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The date of all entries, so that equal maps give equal bytes; zip files have no earlier one."""
_UNITS: Final = 10
"""How many steps of a coordinate make one unit of a map."""
_MAX_TRIES: Final = 10_000
_UNREADABLE: Final = (
    *(zipfile.BadZipFile, LZMAError, EOFError, CodecError, ValueError, KeyError, TypeError),
    *(struct.error, NotImplementedError, RecursionError),
)
"""What reading a damaged entry raises."""


class GalleryFileError(ValueError):
    """The file of shipped maps cannot be read; the message names the file and the map at fault."""


@dataclass(frozen=True, slots=True)
class ShippedMap:
    """A map with its certificate and pictures; `text` is the canonical text of the chart.

    `pictures` are WebP files by name, such as `light-small`, that the version `renderer` drew.
    """

    text: str
    measurement: Measurement
    renderer: str
    pictures: Mapping[str, bytes]

    @property
    def hash(self) -> str:
        """The hash of the chart."""
        return self.measurement.map


class ShippedMaps:
    """The maps of a file, each of which is read when it is asked for."""

    def __init__(self, path: Path | None) -> None:
        """Read the index of the file at `path`; without a file, there is no map.

        `hashes` are those of the maps, in order. `tries` counts the maps that were made for a
        number of players and a landform, also those that are not in the file. Raises
        `GalleryFileError`.
        """
        self._path = path or Path()
        self._rows: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.tries: dict[str, int] = {}
        if path is not None:
            with _naming_faults(path, "the index"), suppress(FileNotFoundError):
                self._read_index()

    @property
    def hashes(self) -> tuple[str, ...]:
        """The hashes of the maps, in order."""
        return tuple(self._rows)

    def read(self, key: str) -> ShippedMap:
        """Return the map with the hash `key`; raise `GalleryFileError` if it is damaged."""
        renderer, names = self._rows[key]
        with _naming_faults(self._path, f"the map {key}"):
            with zipfile.ZipFile(self._path) as archive:
                read = _read_folder(archive, key)
                text = _unpack_text(read("chart.json"), read("points"), read("relief"))
                found = measurement_from_json(json.loads(read("certificate.json")))
                pictures = {name: read(f"{name}.webp") for name in names}
            if hash_text(text) != key or found.map != key:
                raise ValueError("its content does not match its hash")
        return ShippedMap(text, found, renderer, pictures)

    def _read_index(self) -> None:
        with zipfile.ZipFile(self._path) as archive:
            node = Node(json.loads(archive.read(_INDEX)))
        if node["format"].text() != _FORMAT or node["form"].integer() != _FORM:
            raise ValueError(f"it is not form {_FORM} of {_FORMAT!r}")
        for row in node["maps"].items():
            names = tuple(name.text() for name in row["pictures"].items())
            self._rows[row["map"].text()] = (row["renderer"].text(), names)
        for row in node["tries"].items():
            self.tries[row["kind"].text()] = row["count"].integer(0, _MAX_TRIES)


@contextmanager
def _naming_faults(path: Path, part: str) -> Iterator[None]:
    """Raise `GalleryFileError` that names the file and its part for any error of reading it."""
    try:
        yield
    except _UNREADABLE as error:
        raise GalleryFileError(f"{path}: {part} is damaged: {error}") from error
    except OSError as error:
        reason = error.strerror or error
        raise GalleryFileError(f"{path}: {part} cannot be read: {reason}") from error


def _read_folder(archive: zipfile.ZipFile, key: str) -> Callable[[str], bytes]:
    def read(name: str) -> bytes:
        return archive.read(f"{key}/{name}")

    return read


def write_shipped_maps(path: Path, maps: Iterable[ShippedMap], tries: Mapping[str, int]) -> None:
    """Write a file that `ShippedMaps` reads, all of it or nothing.

    Raises `ValueError` for a map whose numbers the file cannot hold, and beyond `MAX_BYTES`.
    """
    content, rows = BytesIO(), []
    with zipfile.ZipFile(content, "w") as archive:

        def add(name: str, part: bytes, kind: int = zipfile.ZIP_LZMA) -> None:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3  # the same byte on every system
            entry.compress_type = kind
            archive.writestr(entry, part)

        for each in maps:
            names = sorted(each.pictures)
            rows.append({"map": each.hash, "renderer": each.renderer, "pictures": names})
            packed = _pack_text(each.text)
            if hash_text(_unpack_text(*packed)) != each.hash:
                raise ValueError(f"the map {each.hash} is not the same when it is read again")
            for name, part in zip(("chart.json", "points", "relief"), packed, strict=True):
                add(f"{each.hash}/{name}", part)
            add(f"{each.hash}/certificate.json", _dump(measurement_to_json(each.measurement)))
            for name in names:
                add(f"{each.hash}/{name}.webp", each.pictures[name], zipfile.ZIP_STORED)
        kinds = [{"kind": kind, "count": count} for kind, count in sorted(tries.items())]
        add(_INDEX, _dump({"format": _FORMAT, "form": _FORM, "maps": rows, "tries": kinds}))
    data = content.getvalue()
    if len(data) > MAX_BYTES:
        raise ValueError(f"{path} would have {len(data):,} bytes, more than {MAX_BYTES:,}")
    write_atomically(path, data)


def _dump(data: object) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


# Coordinates and heights as small steps, which compress to two thirds of what their text does.


def _pack_text(text: str) -> tuple[bytes, bytes, bytes]:
    """Return the text of a chart without its points and its relief, and those two."""
    data = json.loads(text)
    steps: list[int] = []
    for arc in data["arcs"]:
        places = [round(_UNITS * number) for number in arc["points"]]
        arc["points"] = len(places)
        steps += [*places[:2], *(to - start for start, to in zip(places, places[2:], strict=False))]
    relief, heights = data["relief"], b""
    if relief:
        heights = _pack_heights(base64.b64decode(relief["values"]), relief["width"])
        del relief["values"]
    # Even numbers are steps up, odd ones steps down; high bytes, mostly 0, stand together.
    folded = [2 * step if step >= 0 else -2 * step - 1 for step in steps]
    words = struct.pack(f"<{len(folded)}H", *folded)
    return _dump(data), words[::2] + words[1::2], heights


def _unpack_text(rest: bytes, points: bytes, heights: bytes) -> str:
    """Return the text that `_pack_text` has packed; wrong parts raise one of `_UNREADABLE`."""
    data: dict[str, Any] = json.loads(rest)
    count = len(points) // 2
    words = bytes(
        byte for pair in zip(points[:count], points[count:], strict=True) for byte in pair
    )
    folded = struct.unpack(f"<{count}H", words)
    steps = iter([-(number + 1) // 2 if number % 2 else number // 2 for number in folded])
    for arc in data["arcs"]:
        own = [next(steps, 0) for _ in range(arc["points"])]
        places = [0] * len(own)
        places[::2], places[1::2] = accumulate(own[::2]), accumulate(own[1::2])
        arc["points"] = [place / _UNITS for place in places]
    relief = data["relief"]
    if relief:
        values = _unpack_heights(heights, relief["width"])
        relief["values"] = base64.b64encode(values).decode("ascii")
    return _dump(data).decode()


def _pack_heights(values: bytes, width: int) -> bytes:
    """Return for each height what it adds to the slope of the row above it, modulo 256."""
    rows = [values[start : start + width] for start in range(0, len(values), width)]
    flat = [bytes(len(rows[0])), *rows] if rows else []
    packed = []
    for above, row in pairwise(flat):
        rises = [own - other for own, other in zip(row, above, strict=True)]
        packed.append(bytes((to - start) % 256 for start, to in pairwise([0, *rises])))
    return b"".join(packed)


def _unpack_heights(packed: bytes, width: int) -> bytes:
    above: Sequence[int] = bytes(width)
    rows = []
    for start in range(0, len(packed), width):
        rises = accumulate(packed[start : start + width])
        above = bytes((rise + other) % 256 for rise, other in zip(rises, above, strict=True))
        rows.append(above)
    return b"".join(map(bytes, rows))
