"""Refusals by their kinds.

Written by `scripts/client` from the description of the API: change that instead.
"""

from collections.abc import Mapping
from typing import Final

from diplomaccloud.client.problem import Problem


class NotUnderstoodProblem(Problem):
    """The request is not understood."""

    kind = "not-understood"


class NoTokenProblem(Problem):
    """A token is needed."""

    kind = "no-token"


class BadTokenProblem(Problem):
    """The token does not work."""

    kind = "bad-token"


class BannedProblem(Problem):
    """The account is banned."""

    kind = "banned"


class ScopeProblem(Problem):
    """The token is not good for this."""

    kind = "scope"


class OtherSeatProblem(Problem):
    """The token is for another seat."""

    kind = "other-seat"


class NotFoundProblem(Problem):
    """Not found."""

    kind = "not-found"


class NotYoursProblem(Problem):
    """Not yours to do."""

    kind = "not-yours"


class PlayersDecideProblem(Problem):
    """The players decide this."""

    kind = "players-decide"


class MethodProblem(Problem):
    """No such method."""

    kind = "method"


class RefusedProblem(Problem):
    """Refused."""

    kind = "refused"


class WrongMomentProblem(Problem):
    """Not possible now."""

    kind = "wrong-moment"


class PhaseOverProblem(Problem):
    """The phase is over."""

    kind = "phase-over"


class OutdatedProblem(Problem):
    """Based on something older."""

    kind = "outdated"


class PressClosedProblem(Problem):
    """Nobody can write here now."""

    kind = "press-closed"


class KeyReusedProblem(Problem):
    """The key belongs to another request."""

    kind = "key-reused"


class KeyExpiredProblem(Problem):
    """The key was used long ago."""

    kind = "key-expired"


class TooManyKeysProblem(Problem):
    """Too many answers are kept."""

    kind = "too-many-keys"


class ChangedProblem(Problem):
    """The game has changed."""

    kind = "changed"


class CanceledProblem(Problem):
    """The game is canceled."""

    kind = "canceled"


class LengthProblem(Problem):
    """The length of the body is missing."""

    kind = "length"


class TooSlowProblem(Problem):
    """The request came too slowly."""

    kind = "too-slow"


class TooLargeProblem(Problem):
    """The body is too large."""

    kind = "too-large"


class MediaTypeProblem(Problem):
    """The body is not JSON."""

    kind = "media-type"


class InvalidProblem(Problem):
    """A field is wrong."""

    kind = "invalid"


class OrdersProblem(Problem):
    """No order was accepted."""

    kind = "orders"


class TooManyProblem(Problem):
    """Too many requests."""

    kind = "too-many"


class FaultProblem(Problem):
    """A fault of ours."""

    kind = "fault"


class UnavailableProblem(Problem):
    """Not available now."""

    kind = "unavailable"


PROBLEMS: Final[Mapping[str, type[Problem]]] = {
    p.kind: p
    for p in (
        NotUnderstoodProblem,
        NoTokenProblem,
        BadTokenProblem,
        BannedProblem,
        ScopeProblem,
        OtherSeatProblem,
        NotFoundProblem,
        NotYoursProblem,
        PlayersDecideProblem,
        MethodProblem,
        RefusedProblem,
        WrongMomentProblem,
        PhaseOverProblem,
        OutdatedProblem,
        PressClosedProblem,
        KeyReusedProblem,
        KeyExpiredProblem,
        TooManyKeysProblem,
        ChangedProblem,
        CanceledProblem,
        LengthProblem,
        TooSlowProblem,
        TooLargeProblem,
        MediaTypeProblem,
        InvalidProblem,
        OrdersProblem,
        TooManyProblem,
        FaultProblem,
        UnavailableProblem,
    )
}
"""The exception for each kind."""
