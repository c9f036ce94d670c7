"""A person's mutes, blocks, settings and reports, for the download of personal data."""

from diplomaccloud.games.visibility.read import Viewer
from diplomaccloud.press.models import Block, PressSettings, Report, SeatMute, TextReport
from diplomaccloud.press.viewpoint.reports import read_own_decisions, read_own_texts


def read_choices(user_id: int) -> dict[str, object]:
    """Return the person's blocks, mutes, settings, reports and decisions as JSON values."""
    settings = PressSettings.objects.filter(user=user_id).first()
    blocks = Block.objects.filter(user=user_id).select_related("blocked").order_by("pk")
    mutes = SeatMute.objects.filter(user=user_id).select_related("seat__game").order_by("pk")
    reports = Report.objects.filter(reporter=user_id).select_related("message").order_by("pk")
    texts = TextReport.objects.filter(reporter=user_id).order_by("pk")
    return {
        "takes_personal_messages": settings is None or settings.personal,
        "blocked": [row.blocked.screen_name for row in blocks],
        "muted": [{"game": row.seat.game.slug, "country": row.seat.country_name} for row in mutes],
        "reports": [*map(_describe, reports), *map(_describe, texts)],
        "decisions": [
            {"at": row.at.isoformat(), "outcome": row.outcome.value, "reason": row.reason}
            for row in read_own_decisions(Viewer(user_id))
        ],
        "texts": [
            {"at": row.at.isoformat(), "kind": row.kind, "text": row.text, "reason": row.reason}
            for row in read_own_texts(user_id)
        ],
    }


def _describe(report: Report | TextReport) -> dict[str, str]:
    return {"at": report.at.isoformat(), "grounds": report.grounds, "note": report.note}
