"""The fields that forms of press share."""

from django.http import QueryDict

from diplomaccloud.press.table.addresses import parse_number


def join_subject(sent: QueryDict) -> str:
    """Return the message text for a form without a subject field, with the subject above it."""
    return "\n".join(filter(None, (sent.get("subject", ""), sent.get("body", ""))))


def read_number(sent: QueryDict, name: str) -> int | None:
    """Return the message number in a form or an address, None if there is none."""
    return parse_number(sent.get(name, ""))
