"""URLs of press: conversations in a game, messages across all games, and external links."""

from django.urls import path
from django.views.generic import RedirectView

from diplomaccloud.press.chronicle import views as chronicle
from diplomaccloud.press.conversations import views as conversations
from diplomaccloud.press.documents import views as documents
from diplomaccloud.press.inbox import views as inbox
from diplomaccloud.press.inspection import views as looks
from diplomaccloud.press.ledger import views as ledger
from diplomaccloud.press.maps import views as maps
from diplomaccloud.press.moderation import views as moderation
from diplomaccloud.press.openings import views as opening
from diplomaccloud.press.page import views as sending
from diplomaccloud.press.personal import views as relationships
from diplomaccloud.press.proposals import views as proposals
from diplomaccloud.press.reports import views as texts

app_name = "press"
_GAME = "games/<game:slug>/press/"
_TALK = f"{_GAME}<str:members>/"
_PERSON = "messages/with/<str:name>/"
_BOOK = "games/<game:slug>/chronicle/"
_MAPS = "games/<game:slug>/maps/"
_OWN_MAP = f"{_MAPS}<int:number>/"
_SENT_MAP = f"{_TALK}<int:number>/map/"
urlpatterns = [
    path(_MAPS, maps.show_own_maps, name="maps"),
    path(f"{_MAPS}draw/", maps.draw, name="map-draw"),
    path(f"{_MAPS}draw/why/<int:number>/", maps.draw_why, name="map-why"),
    path(f"{_MAPS}save/", maps.save, name="map-save"),
    path(_OWN_MAP, maps.show_map, name="map-own"),
    path(f"{_OWN_MAP}picture.svg", maps.picture, name="map-own-picture"),
    path(f"{_OWN_MAP}adopt/", maps.adopt, name="map-own-adopt"),
    path(_SENT_MAP, maps.show_map, name="map-sent"),
    path(f"{_SENT_MAP}picture.svg", maps.picture, name="map-picture"),
    path(f"{_SENT_MAP}adopt/", maps.adopt, name="map-adopt"),
    path(_GAME, sending.show_list, name="list"),
    path(f"{_GAME}new/", sending.show_new, name="new"),
    path(f"{_GAME}carry/", sending.carry_to_new, name="carry-to-new"),
    path(f"{_TALK}carry/", sending.carry, name="carry"),
    path(f"{_GAME}send/", sending.send, name="send"),
    path(f"{_GAME}look/", looks.look, name="look"),
    path(f"{_GAME}ledger/", ledger.show_ledger, name="ledger"),
    path(f"{_GAME}talk/", sending.talk, name="talk"),
    path(f"{_GAME}opening/", opening.show_opening, name="opening"),
    path(f"{_GAME}opening/agree/", opening.agree, name="agree"),
    path(f"{_GAME}opening/withdraw/", opening.withdraw, name="withdraw"),
    path("account/relationships/", relationships.show_relationships, name="relationships"),
    path("games/<game:slug>/report/", texts.report_seat, name="report-player"),
    path(_BOOK, chronicle.show_cover, name="chronicle"),
    path(f"{_BOOK}<slug:chapter>/", chronicle.show_chapter, name="chapter"),
    path(f"{_BOOK}<slug:chapter>/<slug:key>.svg", chronicle.show_map, name="chapter-map"),
    path(_TALK, sending.show_conversation, name="conversation"),
    path(f"{_TALK}document/", documents.write, name="write-document"),
    path(f"{_TALK}<int:number>/document/", documents.show_card, name="document"),
    path(f"{_TALK}<int:number>/document/sign/", documents.sign, name="sign"),
    path(f"{_TALK}<int:number>/document/change/", documents.change, name="change-document"),
    path(f"{_TALK}proposal/", proposals.propose, name="propose"),
    path(f"{_TALK}<int:number>/proposal/", proposals.show_card, name="proposal"),
    path(f"{_TALK}<int:number>/proposal/answer/", proposals.answer, name="answer"),
    path(f"{_TALK}read/", conversations.mark, {"act": "read"}, name="read"),
    path(f"{_TALK}unread/", conversations.mark, {"act": "unread"}, name="unread"),
    path(f"{_TALK}delete/", conversations.mark, {"act": "delete"}, name="delete"),
    path(f"{_TALK}mute/", conversations.mark, {"act": "mute"}, name="mute"),
    path(f"{_TALK}mute-seat/", sending.mute_seat, name="mute-seat"),
    path(f"{_TALK}block/", sending.block, name="block"),
    path(f"{_TALK}<int:number>/report/", texts.report, name="report"),
    path("messages/", inbox.show_inbox, name="inbox"),
    path("messages/sent/", inbox.show_sent, name="sent"),
    path("messages/search/", inbox.search, name="search"),
    # Where the messages alone could be downloaded.
    path("messages/export/", RedirectView.as_view(pattern_name="account_export"), name="export"),
    path("messages/settings/", relationships.show_settings, name="choices"),
    path("messages/settings/personal/", relationships.accept_personal, name="accept-personal"),
    path("messages/settings/end/", relationships.end_setting, name="end-choice"),
    path(_PERSON, relationships.show_personal, name="personal"),
    path(f"{_PERSON}send/", relationships.send, name="personal-send"),
    path(f"{_PERSON}read/", conversations.mark, {"act": "read"}, name="personal-read"),
    path(f"{_PERSON}unread/", conversations.mark, {"act": "unread"}, name="personal-unread"),
    path(f"{_PERSON}delete/", conversations.mark, {"act": "delete"}, name="personal-delete"),
    path(f"{_PERSON}mute/", conversations.mark, {"act": "mute"}, name="personal-mute"),
    path(f"{_PERSON}block/", relationships.block, name="personal-block"),
    path(f"{_PERSON}<int:number>/report/", texts.report_personal, name="personal-report"),
    path("reports/", texts.show_own, name="reports"),
    path("reports/new/<slug:kind>/<str:of>/", texts.report_public_text, name="report-text"),
    path("reports/<slug:key>/appeal/", texts.appeal, name="appeal"),
    path("moderation/", moderation.show_queue, name="moderation"),
    path("moderation/log/", moderation.show_audit, name="audit"),
    path("moderation/moderators/", moderation.moderators, name="moderators"),
    path("moderation/games/", moderation.stops, name="stops"),
    path("moderation/text/<slug:key>/", texts.judge_public_text, name="text-case"),
    path("moderation/<slug:key>/", moderation.show_case, name="case"),
    path("moderation/<slug:key>/take/", moderation.take, name="take"),
    path("moderation/<slug:key>/decide/", moderation.decide, name="decide"),
    path("moderation/<slug:key>/inspect/", moderation.inspect, name="inspect"),
    path("leaving/", conversations.leaving, name="leaving"),
]
