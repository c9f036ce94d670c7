"""The judge's protocol, as described in `docs/protocol.md`."""

import json
import re
from typing import Annotated, Any, Final

import structlog
from allauth.account.adapter import get_adapter
from django.http import HttpRequest, HttpResponse
from pydantic import Field, StrictBool

from diplomaccloud.api.answers import JSON, ApiAnswer, Given
from diplomaccloud.api.auth import OPEN, caller_of
from diplomaccloud.api.judge_worker import MAX_CPU, JudgeFailed, JudgeHungry, ask_judge
from diplomaccloud.api.limits import JUDGE, require_budget, spend
from diplomaccloud.api.operations import Area
from diplomaccloud.api.problems import BODY, Problem, refuse_field
from diplomaccloud.judge.codec import board_to_json
from diplomaccloud.maps.library import UnknownMapError, find_chart
from diplomaccloud.maps.line_worker import WorkerBusy, WorkerSlow

Word = Annotated[str, Field(max_length=300)]
ByPower = Annotated[dict[Word, Annotated[list[Word], Field(max_length=2_000)]], Field()]


class JudgeGiven(Given):
    """A position with orders; `map` is `standard`, the hash of a map on this site, or a map."""

    id: Annotated[str, Field(max_length=100)] | None = None
    map: Annotated[str, Field(pattern="^(standard|[0-9a-f]{64})$")] | dict[str, Any] = "standard"
    rules: Annotated[str, Field(min_length=1, max_length=40)] | dict[str, Any] = "2000"
    phase: Annotated[str, Field(pattern="^([SF][0-9]{1,5}[MR]|W[0-9]{1,5}A)$")]
    units: ByPower
    centers: ByPower | None = None
    dislodged: dict[Word, dict[Word, list[Word]]] | None = None
    orders: ByPower = {}
    seed: Annotated[str, Field(max_length=2_000)] = ""
    explain: StrictBool = False


class OrderError(ApiAnswer):
    """An order that was refused."""

    power: str
    order: str
    message: str


class Judged(ApiAnswer):
    """The result of every unit, the reasons, and the next position."""

    id: str | None
    results: dict[str, str]
    dislodged: dict[str, Any]
    next: dict[str, Any]
    why: dict[str, str]
    errors: list[OrderError]
    ending: dict[str, Any] | None = None
    trees: dict[str, Any] | None = None


_HASH: Final = re.compile("[0-9a-f]{64}")
_PATH: Final = re.compile(r"([a-z_]+(?:[.\[][^:\s]*)?): ")
_log = structlog.get_logger(__name__)
area = Area("judge", OPEN)


@area.asks("/judge", Judged)
def judge(request: HttpRequest, given: JudgeGiven) -> object:
    """Adjudicate a position, as described in `docs/protocol.md`, in at most 2 s of CPU time.

    Your requests may use 10 s of CPU time a minute in total.
    """
    bearer = caller_of(request).bearer
    caller = bearer.user_id if bearer else get_adapter().get_client_ip(request)
    require_budget(request, JUDGE, caller)
    # The protocol reads null as a value; here it is the same as nothing.
    asked = {
        name: value
        for name, value in given.model_dump(exclude_unset=True).items()
        if value is not None
    }
    if isinstance(given.map, str) and _HASH.fullmatch(given.map):
        try:
            asked["map"] = board_to_json(find_chart(given.map).board)
        except UnknownMapError as error:
            raise refuse_field("map", "This site has no such map.") from error
    try:
        answered = ask_judge(asked)
    except WorkerBusy as error:
        raise Problem(503, "unavailable", "The judge is busy. Try again soon.") from error
    except WorkerSlow as error:
        spend(request, JUDGE, caller, MAX_CPU * 1000)
        raise refuse_field(BODY, f"It takes more than {MAX_CPU} s to adjudicate.") from error
    except JudgeHungry as error:
        spend(request, JUDGE, caller, MAX_CPU * 1000)
        raise refuse_field(BODY, "It takes too much memory to adjudicate.") from error
    except (JudgeFailed, OSError) as error:
        spend(request, JUDGE, caller, MAX_CPU * 1000)
        _log.exception("the judge has failed")
        detail = "The judge failed because of an error on our side. The error has been logged."
        raise Problem(500, "fault", detail) from error
    spend(request, JUDGE, caller, answered.milliseconds)
    if answered.valid:
        return HttpResponse(answered.text, content_type=JSON)
    # The judge's message begins with the field.
    message = json.loads(answered.text)["error"]
    field = _PATH.match(message)
    raise refuse_field(field[1] if field else BODY, message)
