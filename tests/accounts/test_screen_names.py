"""Screen names that nobody may register, and names that look like another's."""

import unicodedata
from urllib.parse import quote

import pytest
import regex
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from diplomaccloud.accounts.models import NameWord, User
from diplomaccloud.accounts.people import fill_keys, find_named
from diplomaccloud.accounts.renaming import choose_name, hide_name
from diplomaccloud.accounts.screen_names import (
    MAX_NAME,
    MAX_SKELETON,
    Label,
    check_name,
    clean_screen_name,
    count_characters,
    is_reserved,
    isolate,
    list_search_words,
    make_key,
    make_search_key,
    make_skeleton,
    strip_article,
)
from diplomaccloud.bots.seats import SEAT_CHOICES

RESERVED = "This screen name is reserved. Choose another one."
ALIKE = "This screen name looks like one that is taken. Choose another one."


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
        ("\u0412\u041e\u0412", ALIKE),
        ("\u0432\u043e\u044c", ALIKE),
        ("B\u00f6b", "This screen name is taken."),
        ("\uff22ob", "This screen name is taken."),
        ("deleted 12", RESERVED),
        ("Guest Star", RESERVED),
        ("Bob the game master", RESERVED),
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


@pytest.mark.parametrize(
    "name",
    [
        *("Jos\u00e9", "\u0141ukasz", "\u1f19\u03bb\u03ad\u03bd\u03b7"),
        *("\u0414\u043c\u0438\u0442\u0440\u0438\u0439", "\u7f8e\u54b2"),
        *("\u3055\u304f\u3089 \u592a\u90ce", "\uae40\ucca0\uc218", "\u91d1\ucca0\uc218"),
        *("\u0928\u092e\u0938\u094d\u0924\u0947", "\u05e9\u05dc\u05d5\u05dd", "O\u2019Brien"),
        *("Anne Marie", "\u0e2a\u0e21\u0e0a\u0e32\u0e22", "e\u0301\u0323" * 30),
    ],
)
def test_names_of_any_letters_sign_up_and_are_found(people, name):
    assert sign_up(name) == []
    user = User.objects.latest("pk")
    assert unicodedata.is_normalized("NFC", user.username)
    for word in (user.username, user.username.upper(), user.username.split(" ")[0][:3]):
        assert user in User.objects.filter(find_named(word))
    page = Client().get(f"/people/{quote(user.username)}/")
    assert page.context["person"].name == user.username
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": "a long enough word"})
    assert client.get("/").context["user"] == user


@pytest.mark.parametrize(
    ("name", "at_fault"),
    [
        ("\u0410lice", "CYRILLIC CAPITAL LETTER A"),
        ("Al\u0456ce", "CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I"),
        ("\u3042\uae40", "HANGUL SYLLABLE GIM"),
        ("\u0301\u0302", "COMBINING ACUTE ACCENT"),
        ("Bob \U0001f600", "GRINNING FACE"),
        ("Bob\u202e", "RIGHT-TO-LEFT OVERRIDE"),
        ("Bob\u200d", "ZERO WIDTH JOINER"),
        ("\u3164\u3164", "HANGUL FILLER"),
        ("B" * 31, "31"),
        ("e\u0323" * 31, "31"),
        ("e" + "\u0323" * 9, "LATIN SMALL LETTER"),
        ("B", "at least 2"),
    ],
)
def test_an_error_names_the_part_at_fault_and_keeps_what_was_typed(people, name, at_fault):
    (error,) = sign_up(name)
    assert at_fault in error
    answer = Client().post(
        "/accounts/signup/", {"username": name, "password1": "a long enough word"}
    )
    assert answer.context["form"]["username"].value() == name
    assert User.objects.count() == 3


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("jose", {"Jos\u00e9 Luis"}),
        ("JOS\u00c9 L", {"Jos\u00e9 Luis"}),
        ("lui", {"Jos\u00e9 Luis"}),
        ("uis", set()),
        ("lukasz", {"\u0141ukasz"}),
        ("\u03b5\u03bb\u03b5\u03bd\u03b7", {"\u1f19\u03bb\u03ad\u03bd\u03b7"}),
        ("%", set()),
        ("_", set()),
        ("", set()),
        ("x" * 10_000, set()),
    ],
)
@pytest.mark.every_database
def test_a_search_finds_the_beginning_of_any_word(db, text, found):
    for name in ("Jos\u00e9 Luis", "\u0141ukasz", "\u1f19\u03bb\u03ad\u03bd\u03b7", "Bob"):
        User.objects.create_user(name)
    names = User.objects.filter(find_named(text)).values_list("username", flat=True)
    assert set(names) == found


@pytest.mark.every_database
def test_a_search_reads_an_index(db):
    User.objects.create_user("Bob")
    plan = User.objects.filter(find_named("bo")).explain()
    assert "word_of_name" in plan or connection.vendor == "postgresql"


def test_a_new_name_is_found_in_place_of_the_old_one(people):
    hide_name(people["bob"], "Bob")
    assert not User.objects.filter(find_named("bob"))
    choose_name(user_id=people["bob"], name="Zo\u00eb")
    assert [user.pk for user in User.objects.filter(find_named("zoe"))] == [people["bob"]]


def test_people_of_an_older_server_are_completed(people):
    User.objects.filter(pk=people["bob"]).update(folded_name=None)
    NameWord.objects.all().delete()
    assert fill_keys(now=timezone.now()) == 1
    assert User.objects.get(folded_name="bob").pk == people["bob"]
    assert User.objects.filter(find_named("bob")).exists()


def find_fault(name):
    """Return why nobody may choose the name, blank if anybody may."""
    try:
        check_name(name)
    except ValidationError as error:
        return error.messages[0]
    return ""


names = st.text(
    st.characters(exclude_categories=("Cs",)) | st.sampled_from("aAbB\u0430\u0301\u03b1 -'"),
    max_size=40,
)


@given(names)
def test_a_name_is_accepted_or_refused_with_a_sentence(text):
    name = clean_screen_name(text)
    assert clean_screen_name(name) == name
    if refused := find_fault(name):
        assert refused.startswith(("Use ", "A screen name", "The "))
        return
    assert 2 <= count_characters(name) <= 30
    assert len(name) <= MAX_NAME
    assert not regex.search(r"\p{C}|\p{Emoji_Presentation}|\p{Bidi_Control}", name)
    assert make_skeleton(name).isascii()
    assert len(make_skeleton(name)) <= MAX_SKELETON
    assert len(make_key(name)) <= MAX_NAME
    assert len(make_search_key(name)) <= MAX_NAME


@given(names)
def test_names_that_differ_in_form_are_equal(text):
    key, skeleton = make_key(text), make_skeleton(text)
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert make_key(unicodedata.normalize(form, text)) == key
        assert make_skeleton(unicodedata.normalize(form, text)) == skeleton
    if text.isascii():
        assert make_key(text) in (text.lower(), make_key(text.lower()))


@given(names, names)
def test_a_search_for_a_word_of_a_name_finds_it(first, second):
    words = list_search_words(f"{first} {second}")
    assert all(make_search_key(word) == word for word in words)
    key = make_search_key(second)
    assert not key or any(word.startswith(key) for word in words) or len(first) > 30


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


@pytest.mark.parametrize(
    "name", ["\u05d3\u05e0\u05d9\u05d0\u05dc", "\u0644\u064a\u0644\u0649 2", "\u0729\u0712"]
)
def test_a_name_written_from_right_to_left_is_isolated_in_plain_text(name):
    assert isolate(name) == f"\u2068{name}\u2069"
    for other in ("Alice", "Дмитрий", "美咲", "José 2", ""):
        assert isolate(other) == other


def test_titles_of_pages_isolate_the_name(client, people):
    name = "\u05d3\u05e0\u05d9\u05d0\u05dc"
    User.objects.create_user(name)
    assert f"<title>\u2068{name}\u2069 ·" in client.get(f"/people/{quote(name)}/").text
