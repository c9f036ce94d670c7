"""The invitation to a game: its link, and the link as a QR code."""

from dataclasses import dataclass

import segno
from django.utils.safestring import SafeString, mark_safe


@dataclass(frozen=True, slots=True)
class Invitation:
    """The address that friends open, and the same address as the SVG of a QR code."""

    url: str
    qr_code: SafeString


def present_invitation(url: str) -> Invitation:
    """Return the invitation to the game at the absolute address `url`."""
    code = segno.make_qr(url, error="m")
    # Dark modules on a light ground in both schemes: scanners need that.
    svg = code.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, light="#ffffff")
    return Invitation(url, mark_safe(svg))  # noqa: S308 - drawn by us
