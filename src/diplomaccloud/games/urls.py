"""URLs of games; a short random text identifies each game."""

from django.urls import path, re_path, register_converter
from django.urls.converters import StringConverter

from diplomaccloud.games.bots import views as bots
from diplomaccloud.games.conditional_orders import views as conditional_orders
from diplomaccloud.games.creation import views as creation
from diplomaccloud.games.drafts import views as drafts
from diplomaccloud.games.featured import views as featured
from diplomaccloud.games.following import views as following
from diplomaccloud.games.guests import views as guests
from diplomaccloud.games.lobby import views as lobby
from diplomaccloud.games.master import views as master
from diplomaccloud.games.next_game import views as next_game
from diplomaccloud.games.orders import views as orders
from diplomaccloud.games.page import views as page
from diplomaccloud.games.record import views as record
from diplomaccloud.games.results import views as results
from diplomaccloud.games.seats import views as seats
from diplomaccloud.games.statistics import views as statistics
from diplomaccloud.games.votes import views as votes


class Slug(StringConverter):
    """Ten letters and digits, none easily confused with another."""

    regex = "[a-z2-9]{10}"


register_converter(Slug, "game")

app_name = "games"
urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("quick/", creation.quick, name="quick"),
    path("new/", creation.create, name="create"),
    path("new/summary/", creation.summary, name="summary"),
    path("code/", lobby.code, name="code"),
    re_path(
        r"^featured/(?P<key>[0-9a-f]{64})-(?P<theme>light|dark)\.svg$",
        featured.turn,
        name="featured-turn",
    ),
    path("play/", guests.new_game, name="new-game"),
    path("play/<str:ticket>/", guests.play, name="play"),
    path("play/<str:ticket>/preview/", guests.sketch, name="play-preview"),
    path("<game:slug>/", page.detail, name="detail"),
    path("<game:slug>/parts/<slug:name>/", page.part, name="part"),
    path("<game:slug>/picture.png", page.picture, name="picture"),
    path("<game:slug>/join/", lobby.join, name="join"),
    path("<game:slug>/follow/", following.follow_game, name="follow"),
    path("<game:slug>/leave/", lobby.leave, name="leave"),
    path("<game:slug>/start/", lobby.start, name="start"),
    path("<game:slug>/bots/", lobby.add_bot, name="add-bot"),
    path("<game:slug>/ready-to-start/", lobby.ready_to_start, name="ready-to-start"),
    path("<game:slug>/confirm/", next_game.confirm, name="confirm"),
    path("<game:slug>/start-with-bots/", next_game.start_with_bots, name="start-with-bots"),
    path("<game:slug>/cancel/", lobby.cancel, name="cancel"),
    path("<game:slug>/orders/", orders.orders, name="orders"),
    path("<game:slug>/orders/save/", orders.save, name="save"),
    path("<game:slug>/orders/receipt/", orders.receipt, name="get-receipt"),
    path("<game:slug>/orders/copy/", drafts.copy, name="copy"),
    path("<game:slug>/drafts/", drafts.drafts, name="drafts"),
    path("<game:slug>/drafts/compare/", drafts.compare, name="compare"),
    path(
        "<game:slug>/conditional-orders/",
        conditional_orders.conditional_orders,
        name="conditional-orders",
    ),
    path("<game:slug>/receipts/", record.receipts, name="receipts"),
    path("<game:slug>/orders/preview/", orders.preview, name="preview"),
    path("<game:slug>/hint/", bots.hint, name="hint"),
    path("<game:slug>/ready/", orders.ready, name="ready"),
    path("<game:slug>/country/", seats.country, name="country"),
    path("<game:slug>/color/", seats.color, name="color"),
    path("<game:slug>/invite/", lobby.invite, name="invite"),
    path("<game:slug>/uninvite/", lobby.uninvite, name="uninvite"),
    path("<game:slug>/dismiss/", lobby.dismiss, name="dismiss"),
    path("<game:slug>/rules/", results.rules, name="rules"),
    path("<game:slug>/phases/<int:sequence>/", results.phase, name="phase"),
    path("<game:slug>/turn.pdf", page.print_turn, name="print"),
    path("<game:slug>/slips.pdf", page.print_turn, {"kind": "slips"}, name="print-slips"),
    path("<game:slug>/phases/<int:sequence>/turn.pdf", page.print_turn, name="print-phase"),
    path("<game:slug>/phases/<int:sequence>/animation/", results.animation, name="animation"),
    path("<game:slug>/phases/<int:sequence>/why/<int:number>/", results.why, name="why"),
    path("<game:slug>/phases/<int:sequence>/sandbox/", results.sandbox, name="phase-sandbox"),
    path("<game:slug>/sandbox/", results.sandbox, name="sandbox"),
    path("<game:slug>/centers/", statistics.centers, name="centers"),
    path("<game:slug>/statistics/", statistics.statistics, name="statistics"),
    path("<game:slug>/record/", record.record_page, name="record-page"),
    path("<game:slug>/record.jsonl", record.record, name="record"),
    path("<game:slug>/record-and-receipts.jsonl", record.own_record, name="own-record"),
    path("<game:slug>/state/", page.state, name="state"),
    path("<game:slug>/log/", results.log, name="log"),
    path("<game:slug>/draw-vote/", votes.draw_vote, name="draw-vote"),
    path("<game:slug>/votes/", votes.open_vote, name="open-vote"),
    path("<game:slug>/votes/answer/", votes.answer, name="answer-vote"),
    path("<game:slug>/resign/", seats.resign, name="resign"),
    path("<game:slug>/take-over/", seats.take_over, name="take-over"),
    path("<game:slug>/bot/", master.seat_bot, name="seat-bot"),
    path("<game:slug>/master/", master.console, name="master"),
    path("<game:slug>/master/preview/", master.preview, name="master-preview"),
    path("<game:slug>/master/time/", master.change_time, name="change-time"),
    path("<game:slug>/master/end-phase/", master.end_phase, name="end-phase"),
    path("<game:slug>/master/resume/", master.resume, name="resume"),
    path("<game:slug>/master/remove/", master.remove, name="remove"),
    path("<game:slug>/master/reprimand/", master.reprimand, name="reprimand"),
    path("<game:slug>/master/roll-back/", master.roll_back, name="roll-back"),
    path("<game:slug>/master/roll-forward/", master.roll_forward, name="roll-forward"),
]
