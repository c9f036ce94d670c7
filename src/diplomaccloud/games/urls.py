"""Addresses of games; a game is named by a short random text."""

from django.urls import path, register_converter

from diplomaccloud.games.views import (
    gathering,
    leaving,
    looking,
    mastering,
    papers,
    playing,
    voting,
)


class Slug:
    """Ten letters and digits that are hard to confuse."""

    regex = "[a-z2-9]{10}"

    def to_python(self, value: str) -> str:
        """Return the text itself."""
        return value

    def to_url(self, value: str) -> str:
        """Return the text itself."""
        return value


register_converter(Slug, "game")

app_name = "games"
urlpatterns = [
    path("", gathering.lobby, name="lobby"),
    path("quick/", gathering.quick, name="quick"),
    path("new/", gathering.create, name="create"),
    path("new/summary/", gathering.summary, name="summary"),
    path("code/", leaving.code, name="code"),
    path("<game:slug>/", playing.detail, name="detail"),
    path("<game:slug>/join/", gathering.join, name="join"),
    path("<game:slug>/leave/", gathering.leave, name="leave"),
    path("<game:slug>/start/", gathering.start, name="start"),
    path("<game:slug>/orders/", playing.orders, name="orders"),
    path("<game:slug>/orders/copy/", papers.copy, name="copy"),
    path("<game:slug>/drafts/", papers.drafts, name="drafts"),
    path("<game:slug>/drafts/compare/", papers.compare, name="compare"),
    path("<game:slug>/ahead/", papers.ahead, name="ahead"),
    path("<game:slug>/receipts/", papers.receipts, name="receipts"),
    path("<game:slug>/sketch/", playing.sketch, name="sketch"),
    path("<game:slug>/ready/", playing.ready, name="ready"),
    path("<game:slug>/country/", gathering.country, name="country"),
    path("<game:slug>/color/", gathering.color, name="color"),
    path("<game:slug>/invite/", gathering.invite, name="invite"),
    path("<game:slug>/uninvite/", gathering.uninvite, name="uninvite"),
    path("<game:slug>/dismiss/", gathering.dismiss, name="dismiss"),
    path("<game:slug>/rules/", looking.rules, name="rules"),
    path("<game:slug>/phases/<int:sequence>/", looking.phase, name="phase"),
    path("<game:slug>/phases/<int:sequence>/why/<int:number>/", looking.why, name="why"),
    path("<game:slug>/centers/", looking.centers, name="centers"),
    path("<game:slug>/statistics/", looking.statistics, name="statistics"),
    path("<game:slug>/record.jsonl", looking.record, name="record"),
    path("<game:slug>/state/", looking.state, name="state"),
    path("<game:slug>/log/", looking.log, name="log"),
    path("<game:slug>/vote/", voting.ballot, name="vote"),
    path("<game:slug>/motions/", voting.move, name="move"),
    path("<game:slug>/answer/", voting.answer, name="answer"),
    path("<game:slug>/resign/", leaving.resign, name="resign"),
    path("<game:slug>/take/", leaving.take, name="take"),
    path("<game:slug>/bot/", leaving.bot, name="bot"),
    path("<game:slug>/master/", mastering.console, name="master"),
    path("<game:slug>/master/look/", mastering.look, name="look"),
    path("<game:slug>/master/time/", mastering.change_time, name="change-time"),
    path("<game:slug>/master/force/", mastering.force, name="force"),
    path("<game:slug>/master/release/", mastering.release, name="release"),
    path("<game:slug>/master/remove/", mastering.remove, name="remove"),
    path("<game:slug>/master/reprimand/", mastering.reprimand, name="reprimand"),
    path("<game:slug>/master/back/", mastering.back, name="back"),
    path("<game:slug>/master/forward/", mastering.forward, name="forward"),
]
