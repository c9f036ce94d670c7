"""Checks the seal of a chain, and signatures and their keys."""

from collections.abc import Mapping

from diplomaccloud.judge.codec.reader import Node
from diplomaccloud.record.report import RecordFault, Report
from diplomaccloud.record.signatures import can_verify, find_key_id, verify
from diplomaccloud.record.signed_lines import seal_message
from diplomaccloud.record.state import Context, read_hash

Keys = Mapping[str, str]
"""The public keys of a site, by id."""


def check_seal(context: Context, node: Node, *, lines: int, head: str, keys: Keys | None) -> None:
    """Check that the seal matches a chain of `lines` lines whose last hash is `head`."""
    state, report = context.state, context.report
    if node["id"].value != state.name:
        raise RecordFault("this is the seal of another game")
    if node["lines"].value != lines or node["head"].value != head:
        raise RecordFault(f"the seal does not match the {lines} lines before it")
    if "signature" not in node:
        if state.is_site:
            raise RecordFault("the seal is not signed")
        if keys is not None:
            raise RecordFault(
                "the record is not signed, so it is not from the site with these keys"
            )
        report.note_unchecked("who made this record: it is not signed")
        return
    key_id = read_key(node, report, keys)
    message = seal_message(game=state.name, lines=lines, head=head, key_id=key_id)
    check_signature(node, message, report)
    if can_verify():
        report.checked["signatures"] += 1


def read_key(node: Node, report: Report, keys: Keys | None) -> str:
    """Return the id of a signature's key; raise `RecordFault` if it is not the site's."""
    public = read_hash(node["public"])
    key_id = find_key_id(public)
    if node["key"].value != key_id:
        raise RecordFault("the id of the key does not match the public key")
    if keys is None:
        report.note_unchecked(
            f"whether the key {key_id} is the site's: compare it with the site's page of keys"
        )
    elif keys.get(key_id) != public:
        raise RecordFault(f"the key {key_id} is not one of the given keys")
    return key_id


def check_signature(node: Node, message: str, report: Report) -> None:
    """Check the signature of `message`, or note that it cannot be checked here."""
    if not can_verify():
        report.note_unchecked("the signatures: pip install 'diplomaccloud[record]' checks them")
        return
    if not verify(node["public"].text(), message, node["signature"].text()):
        raise RecordFault("the signature is wrong")
