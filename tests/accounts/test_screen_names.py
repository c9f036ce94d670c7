"""Screen names that nobody may register, and names that look like another's."""

import pytest
from django.db import IntegrityError
from django.test import Client

from diplomaccloud.accounts.models import User
from diplomaccloud.accounts.renaming import hide_name
from diplomaccloud.accounts.screen_names import Label, is_reserved, make_skeleton, strip_article
from diplomaccloud.bots.seats import SEAT_CHOICES

RESERVED = "This screen name is reserved. Choose another one."
ALIKE = "This screen name looks like one that is taken. Choose another one."
LETTERS = "Use only the letters A to Z, digits and . _ - + @ in a screen name."


def sign_up(name):
    """Return the errors of the form for a new person called `name`."""
    data = {"username": name, "password1": "a long enough word"}
    answer = Client().post("/accounts/signup/", data)
    if answer.status_code == 302:
        return []
    return [str(text) for texts in answer.context["form"].errors.values() for text in texts]


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("..", "Use at least one letter or digit in a screen name."),
        ("-_-", "Use at least one letter or digit in a screen name."),
        ("admin", RESERVED),
        ("Adm1n", RESERVED),
        ("admin_2", RESERVED),
        ("bob-admin", RESERVED),
        ("GameMaster", RESERVED),
        ("game_master", RESERVED),
        ("Garne.Master", RESERVED),
        ("Software", RESERVED),
        ("S0FTWARE", RESERVED),
        ("Diplomaccloud", RESERVED),
        ("nobody", RESERVED),
        ("me", RESERVED),
        ("France", RESERVED),
        ("greedy-bot", RESERVED),
        ("Genera1", RESERVED),
        ("Recruits", RESERVED),
        ("Unsigned", RESERVED),
        ("uns1gned", RESERVED),
        ("Gray", RESERVED),
        ("GRAY-messages", RESERVED),
        ("Moderator", RESERVED),
        ("M0derators", RESERVED),
        ("the.rnoderators", RESERVED),
        ("Previous_Player", RESERVED),
        ("another-player", RESERVED),
        ("deletedPlayer", RESERVED),
        ("TheCreatorOfTheGame", RESERVED),
        ("Player-12", RESERVED),
        ("p1ayer.123456", RESERVED),
        ("PLAYER_O1", RESERVED),
        ("login", RESERVED),
        ("robots.txt", RESERVED),
        ("ALICE", "This screen name is taken."),
        ("Allce", ALIKE),
        ("A1ice", ALIKE),
        ("al_ice", ALIKE),
        ("b.0.b", ALIKE),
        ("\u0410lice", LETTERS),
        ("Al\u0456ce", LETTERS),
    ],
)
def test_a_name_that_could_mislead_is_refused_with_one_reason(people, name, error):
    assert sign_up(name) == [error]
    assert User.objects.count() == 3


@pytest.mark.parametrize(
    "name",
    [
        *("Alicia", "Bobby", "Charlie2", "Administration", "Francesca", "mod_rocker", "Tom.Judge"),
        *("Grayson", "Generally", "Player12th", "TeamPlayer-12"),
    ],
)
def test_other_names_are_free(people, name):
    assert sign_up(name) == []
    assert User.objects.filter(username=name).exists()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("modern", "rnodem"),
        ("Will", "vvi11"),
        ("Otto", "0tt0"),
        ("Alice", "\u0391l\u0456\u0441\u0435"),
        ("Alice", "\uff21\uff4c\uff49\uff43\uff45"),
        ("Rene", "Ren\u00e9"),
        ("a.b-c_d", "ABCD"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert make_skeleton(one) == make_skeleton(other)


def test_letters_of_other_scripts_are_told_apart_in_ascii():
    one, other = make_skeleton("\u4e09"), make_skeleton("\u4e8c")
    assert one != other
    assert (one + other).isascii()


@pytest.mark.parametrize("label", [*Label, *(title for _, title in SEAT_CHOICES)])
def test_nobody_can_be_called_like_a_label(label):
    plain = strip_article(label)
    for form in (label, plain, f"the {plain}", "".join(plain.upper().split()), f"A-{plain}."):
        assert is_reserved(form)


def test_a_person_whose_name_is_reserved_later_keeps_it(people):
    User.objects.create_user("Unsigned", password="a long enough word")
    client = Client()
    client.post("/accounts/login/", {"login": "unsigned", "password": "a long enough word"})
    assert client.get("/people/Unsigned/").context["person"].is_you


def test_who_must_choose_a_new_name_cannot_choose_a_neutral_one(people):
    hide_name(people["bob"], "Bob")
    client = Client()
    client.force_login(User.objects.get(pk=people["bob"]))
    answer = client.post("/accounts/name/", {"name": "Player-12"})
    assert answer.context["form"].errors["name"] == [RESERVED]
    assert client.post("/accounts/name/", {"name": "Robert"}).status_code == 303


def test_people_are_not_reserved_words():
    assert not any(map(is_reserved, ["Alice", "Bob", "Charlie", "Diana", "Person1", "Watcher7"]))


def test_the_database_holds_no_two_skeletons_that_are_equal(people):
    with pytest.raises(IntegrityError):
        User.objects.create(username="B0B")


def test_a_skeleton_follows_its_name(people):
    bob = User.objects.get(username="Bob")
    bob.username = "Robert"
    bob.save()
    assert sign_up("B0b") == []
    assert sign_up("R0bert") == [ALIKE]
