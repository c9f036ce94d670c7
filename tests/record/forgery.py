"""Changes records as someone who knows the format would, and verifies them."""

import io
import json

from tests.record.honest_games import KEY

from diplomaccloud.atlas.board_loader import BoardLoader
from diplomaccloud.record import lines
from diplomaccloud.record.chain import make_lines
from diplomaccloud.record.signatures import SigningKey
from diplomaccloud.record.verification import verify_record

FORGER = SigningKey("66" * 32)
LINK = ("n", "prev", "hash")


def stop(error):
    raise error


def verify(record, **options):
    """Return the report; an internal error is raised."""
    boards = BoardLoader()
    return verify_record(io.BytesIO(record), boards, on_error=stop, **options)


def find_fault(record, **options):
    """Return the line and the sentence of the first fault, None if there is none."""
    report = verify(record, **options)
    assert len(report.faults) == report.fault_count
    return next(((fault.line, fault.what) for fault in report.faults), None)


def read_bodies(record):
    """Return the bodies of the lines of a record."""
    return [
        {key: value for key, value in json.loads(line).items() if key not in LINK}
        for line in record.splitlines()
    ]


def dump(bodies):
    return "".join(f"{line.text}\n" for line in make_lines(bodies)).encode()


def rehash(record, edit):
    """Return a record whose bodies `edit` has changed, with new hashes and the old signature."""
    bodies = read_bodies(record)
    edit(bodies)
    return dump(bodies)


def forge(record, edit, key=FORGER):
    """Return a record whose bodies `edit` has changed, with new hashes and a new seal."""
    bodies = [b for b in read_bodies(record) if b["kind"] not in {"seal", "receipt"}]
    edit(bodies)
    *_, last = make_lines(bodies)
    seal = lines.seal_line(game=bodies[0]["id"], lines=last.number, head=last.hash, key=key)
    return dump([*bodies, seal])


def find_kind(bodies, kind, number=1):
    """Return the `number`th body of a kind."""
    return [body for body in bodies if body["kind"] == kind][number - 1]


def place_of(record, kind, number=1):
    """Return the line of the `number`th body of a kind."""
    places = [i for i, body in enumerate(read_bodies(record), 1) if body["kind"] == kind]
    return places[number - 1]


KEYS = {KEY.key_id: KEY.public}
