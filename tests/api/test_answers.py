"""Answers are read from values of the product: each field must name an attribute of its value."""

import inspect
from functools import cached_property
from types import NoneType
from typing import get_args, get_type_hints

from django.db.models import Model
from pydantic import AliasPath

from diplomaccloud.api import (
    archive,
    conference_maps,
    conversations,
    gallery,
    games,
    history,
    lobby,
    master,
    messages,
    notices,
    people,
    reports,
    seats,
)
from diplomaccloud.api.answers import ApiAnswer, OrderAnswer
from diplomaccloud.games.drafts.actions import AdoptedOrders
from diplomaccloud.games.following.read import Following
from diplomaccloud.games.hall.read import Card
from diplomaccloud.games.lobby.read import CodeMatch
from diplomaccloud.games.next_game.read import NextOffer
from diplomaccloud.games.orders.actions import Problem
from diplomaccloud.games.orders.read import MissingOrders
from diplomaccloud.games.people.read import People, Profile
from diplomaccloud.games.ratings.read import Leaderboard, PersonRatings
from diplomaccloud.games.record.read import SaveFacts
from diplomaccloud.games.results.read import LogPage, PhaseName, ProcessedPhase
from diplomaccloud.games.seats.read import SeatOffer
from diplomaccloud.games.statistics.deeds import Deeds, Stab
from diplomaccloud.games.table.read import DraftOrders
from diplomaccloud.games.votes.read import Vote
from diplomaccloud.judge.drawing.chart import Mark
from diplomaccloud.maps.gallery import MapCard
from diplomaccloud.notices.bell import NoticeList
from diplomaccloud.notices.models import Destination
from diplomaccloud.press.chronicle.read import ChapterFacts, OpenPage
from diplomaccloud.press.conversations.actions import Sent
from diplomaccloud.press.documents.read import DocumentFacts
from diplomaccloud.press.inbox.read import InboxPage, SentPage
from diplomaccloud.press.moderation.read import Copy, DecisionFacts, OwnText
from diplomaccloud.press.openings.read import OwnOpening
from diplomaccloud.press.personal.read import ChoicesFacts, MutedSeat
from diplomaccloud.press.proposals.read import DealFacts
from diplomaccloud.press.reports.read import OwnReport
from diplomaccloud.press.table.read import ConversationFacts

READ_FROM = {
    archive.ChapterState: ChapterFacts,
    archive.ChapterMessages: OpenPage,
    archive.OpeningState: OwnOpening,
    games.PhaseRef: PhaseName,
    games.PhaseResult: ProcessedPhase,
    conference_maps.MapAdopted: AdoptedOrders,
    conference_maps.MarkState: Mark,
    conversations.DealState: DealFacts,
    conversations.DocumentText: DocumentFacts,
    conversations.MessageList: ConversationFacts,
    conversations.SentMessages: Sent,
    gallery.MapCardState: MapCard,
    games.OwnGame: Card,
    games.ListedState: Card,
    history.DeedsState: Deeds,
    history.LogState: LogPage,
    history.SaveState: SaveFacts,
    history.StabState: Stab,
    lobby.CodeFound: CodeMatch,
    lobby.NextGameState: NextOffer,
    lobby.OfferState: SeatOffer,
    master.CopyState: Copy,
    messages.InboxPageState: InboxPage,
    messages.SentPageState: SentPage,
    messages.Choices: ChoicesFacts,
    messages.MutedSeatState: MutedSeat,
    notices.DestinationState: Destination,
    notices.NoticePage: NoticeList,
    people.FollowingState: Following,
    people.LeaderboardState: Leaderboard,
    people.PeoplePage: People,
    people.ProfileState: Profile,
    people.RatingsState: PersonRatings,
    reports.DecisionState: DecisionFacts,
    reports.HiddenTextState: OwnText,
    reports.OwnReportState: OwnReport,
    seats.DraftState: DraftOrders,
    seats.MissingOrders: MissingOrders,
    seats.VoteState: Vote,
    notices.WebhookState: Destination,
    OrderAnswer: Problem,
}
"""The outermost schemas, with the class of the values that each is read from."""


def classes_in(hint):
    """Return the classes that a type is made of, such as those of the items of a tuple."""
    parts = get_args(hint)
    if not parts:
        return {hint} - {NoneType} if inspect.isclass(hint) else set()
    return set().union(*map(classes_in, parts))


def classes_of(kind, name):
    """Return the classes that an attribute of a class can have; none for a model's."""
    if issubclass(kind, Model):
        assert hasattr(kind, name), f"{kind.__name__} has no {name}"
        return set()
    member = inspect.getattr_static(kind, name, None)
    if isinstance(member, cached_property):
        member = property(member.func)
    if isinstance(member, property):
        return classes_in(get_type_hints(member.fget)["return"])
    hints = get_type_hints(kind)
    assert name in hints, f"{kind.__name__} has no {name}"
    return classes_in(hints[name])


def read_fields(schema, kinds):
    """Find all fields of the schema and its parts in classes; return these schemas.

    The type of a field must fit, too, unless a validator makes its value.
    """
    seen = {schema}
    for name, field in schema.model_fields.items():
        alias = field.validation_alias or name
        values = kinds
        for step in alias.path if isinstance(alias, AliasPath) else [alias]:
            values = set().union(*(classes_of(kind, step) for kind in values))
        if "BeforeValidator" in repr(field):
            continue
        parts = classes_in(field.annotation)
        answers = {part for part in parts if issubclass(part, ApiAnswer)}
        assert answers or all(issubclass(kind, tuple(parts)) for kind in values), (schema, name)
        seen.update(*(read_fields(answer, values) for answer in answers))
    return seen


def test_each_field_of_an_answer_is_an_attribute_of_what_it_is_read_from():
    seen = set().union(*(read_fields(schema, {kind}) for schema, kind in READ_FROM.items()))
    assert {schema for schema in list_answers(ApiAnswer) if has_aliases(schema)} <= seen


def list_answers(schema):
    return {schema}.union(*map(list_answers, schema.__subclasses__()))


def has_aliases(schema):
    """Return whether a field that the schema adds to those of its base has another name there."""
    fields = (schema.model_fields[name] for name in inspect.get_annotations(schema))
    return any(field.validation_alias not in (None, "with") for field in fields)
