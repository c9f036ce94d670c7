"""Why an order of a processed phase had its outcome, as a value of its page."""

from diplomaccloud.games.viewpoint.why import OrderExplanation
from diplomaccloud.sandbox import explanation
from diplomaccloud.sandbox.explanation import ExplanationView


def present_explanation(why: OrderExplanation, phase_url: str) -> ExplanationView:
    """Return the explanation of an order; `phase_url` is the page of its phase."""
    return explanation.present_explanation(
        why.explanation,
        why.board,
        why.results,
        why.number,
        sequence=why.sequence,
        phase_url=phase_url,
    )
