"""Phrases that we don't use, and British spellings, in everything that people read.

Also: which sentences of the site several files of tests quote. Exceptions are listed once, below,
each with its reason. `docs/wording.md` says how we write.
"""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = (ROOT / "src", ROOT / "judge" / "src", *ROOT.glob("extras/*/src"))
READ = (".py", ".pyx", ".pyi", ".html", ".txt", ".md", ".js", ".css", ".toml", ".sh", "")

PHRASES = {
    "whoever, whither …": r"\b(?:whoever|whomever|whither|thither|whence|thence|anew|lest)\b",
    "shall": r"\bshall\b",
    "put aside": r"\bputs? aside\b",
    "so many": r"\bso many\b",
    "what came of": r"\bwhat (?:came|comes) of\b",
    "mend for fix": r"\bmend(?:s|ed|ing)?\b",
    "is no X": r"(?<!there )\b(?:is|are) no "
    r"(?!longer\b|more than\b|one\b|less\b|later\b|different\b|such\b)"
    r"(?:[a-z]+ )?(?:length|day|number|name|map|game|player|power|province|unit|order|fault)\b",
    "no longer good": r"\bno longer good\b",
    "nobody's": r"\bnobody's\b",
    "told for shown": r"\b(?:is|are|was|were) told\b",
    "not yours to see": r"\byours to see\b",
    "under way": r"\bunder way\b",
    "such as at the start": r"(?:^|[.\"(] ?)Such as\b",
    "till": r"\btill\b",
    "be it": r"\bbe it\b",
    "any more for no longer": r"\bany more\b",
    "a mail for an e-mail": r"\b(?:another|sent a|send a) mail\b(?! server)",
    "also while": r"\balso while\b",
    "give back time": r"\b(?:gives?|given|gave|giving) back\b",
    "whereof": r"\b(?:whereof|thereof|therein|wherein|hereof)\b",
}
BRITISH = (
    r"colour",
    r"\bcentre",
    r"centres?\b",
    r"neighbour",
    r"harbour",
    r"honour",
    r"favour",
    r"behaviour",
    r"judgement",
    r"\bgrey",
    r"licence",
    r"\bmetres?\b",
    r"cancelled",
    r"cancelling",
    r"labelled",
    r"labelling",
    r"modelled",
    r"travell",
    r"organis",
    r"recognis",
    r"normalis",
    r"initialis",
    r"serialis",
    r"\bwhilst\b",
)

NOT_OURS = (
    "requirements/",  # locks
    "LICENSE",  # a legal text
    "judge/LICENSE",
    *(f"extras/{path.parent.name}/LICENSE" for path in ROOT.glob("extras/*/LICENSE")),
    "judge/tests/datc/",  # DATC's own titles
    "docs/conformance.md",  # the same titles
    "judge/tests/diagrams/",  # quoted rulebooks
    "judge/tests/games/",  # quoted rulebooks
    "src/diplomaccloud/pages/static/pages/vendor/",  # other people's code
    "src/diplomaccloud/pages/static/pages/fonts/",
    "src/diplomaccloud/atlas/drawings.txt",  # map data
    "src/diplomaccloud/atlas/fonts/",
    "judge/src/diplomaccloud/judge/drawing/europe.json",  # map data
    "judge/src/diplomaccloud/judge/drawing/fonts/",
    "docs/images/",
    "docs/wording.md",  # shows what not to write
    "tests/project/test_wording.py",
)
EXCEPTIONS = {
    "mend_": "rule switches stored in old games",
    "aria-labelledby": "an attribute of HTML",
    "colour_difference": "a figure stored in old maps",
    '"colours"': "the name of a random stream: another one would change old maps",
    "center|centre": "what a player may type",
}

QUOTED_OFTEN = {
    "the game master": "a person, not a sentence",
    "order sets of bots": "a key of a record's report",
    "digests of sealed texts": "a key of a record's report",
    "Do not use build order": "how webDiplomacy writes an order",
}
"""Phrases of the site that several files of tests may quote."""
# A docstring, a comment or a string.
LITERAL = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|#[^\n]*|"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\''
)
DOCSTRING_OR_COMMENT = re.compile(r'"""(?:[^"]|"(?!""))*"""|^ *#.*', re.MULTILINE)
BETWEEN_LITERALS = re.compile(r'(?<!")"\s*\n\s*[rf]?"(?!")')
# Markup, a variable, or the end of a sentence.
BREAK = re.compile(r"<[^>]*>|[{}<>=|]|\\?[.?!:;](?= |$)|\\n")
# At least three words, two of them lower-case: no names, addresses or orders.
PHRASE = re.compile(
    r"(?=.* .* )(?=.{15})(?!.*(?:[_/]|\b(?!API\b)[A-Z]{3}\b)).*(?<![^ ])[a-z’']{2,}.* [a-z’']{2}"
)


def our_texts():
    """Return every text file of the project with its content, quotations left out."""
    names = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    texts = {}
    for name in filter(None, names):
        path = ROOT / name
        if name.startswith(NOT_OURS) or path.suffix not in READ or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for quoted in EXCEPTIONS:
            text = text.replace(quoted, "")
        texts[name] = text
    return texts


@pytest.fixture(scope="module")
def texts():
    found = our_texts()
    assert len(found) > 500
    return found


def lines_with(pattern, texts):
    found = re.compile(pattern, re.IGNORECASE)
    return [
        f"{name}:{number}: {line.strip()[:120]}"
        for name, text in texts.items()
        for number, line in enumerate(text.splitlines(), 1)
        if found.search(line)
    ]


@pytest.mark.parametrize("pattern", PHRASES.values(), ids=PHRASES)
def test_no_text_has_a_phrase_that_we_do_not_use(pattern, texts):
    assert lines_with(pattern, texts) == []


@pytest.mark.parametrize("pattern", BRITISH)
def test_spelling_is_american(pattern, texts):
    assert lines_with(pattern, texts) == []


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("whoever, whither …", "whoever holds the seat"),
        ("is no X", "'x' is no length"),
        ("mend for fix", "until a fault is mended"),
        ("told for shown", "players are told"),
        ("such as at the start", '"Such as 2 days"'),
    ],
)
def test_the_patterns_find_what_they_are_for(phrase, text):
    assert lines_with(PHRASES[phrase], {"example": text}) == [f"example:1: {text}"]


def test_every_exception_is_still_needed():
    everything = "".join(
        path.read_text(encoding="utf-8")
        for source in SOURCES
        for path in source.rglob("*")
        if path.suffix in {".py", ".html"}
    )
    assert [text for text in EXCEPTIONS if text not in everything] == []


def phrases(code):
    """Return the phrases in the string literals of this code."""
    found = set()
    for literal in LITERAL.finditer(BETWEEN_LITERALS.sub("", code)):
        for part in BREAK.split(literal[1] or literal[2] or ""):
            if PHRASE.match(phrase := part.strip(" .,*()^$”“")):
                found.add(phrase)
    return found


def quoted_often(texts):
    """Return the phrases of the site that several files of tests quote, each with these files."""
    files = {}
    for name, text in texts.items():
        if re.match(r"((judge|extras/\w+)/)?tests/", name) and name.endswith(".py"):
            for phrase in phrases(text):
                files.setdefault(phrase, []).append(name)
    site = " ".join(
        BETWEEN_LITERALS.sub("", DOCSTRING_OR_COMMENT.sub("", text))
        for name, text in texts.items()
        if re.match(r"((judge|extras/\w+)/)?src/", name)
        and name.endswith((".py", ".html", ".txt", ".js"))
    )
    site = " ".join(site.split())
    return {phrase: names for phrase, names in files.items() if len(names) > 1 and phrase in site}


def test_a_sentence_of_the_site_is_quoted_in_one_file_of_tests(texts):
    """A new wording of a sentence then changes one file of tests."""
    found = quoted_often(texts)
    copies = [f"“{phrase}”: {', '.join(found[phrase])}" for phrase in found.keys() - QUOTED_OFTEN]
    advice = (
        "Quote it only where the sentence is the subject. In the other files, look for a role, an "
        "error key, a status, a class, a data- attribute or what is in the database, or import "
        "the step or the constant that quotes it."
    )
    assert not copies, "\n".join([*copies, advice])
    assert QUOTED_OFTEN.keys() <= found.keys()


@pytest.mark.parametrize(
    ("test", "found"),
    [
        ('assert "Nothing was saved." in page', ["Nothing was saved"]),
        ('page == "<b>Try once more.</b> Nothing was "\n    "saved."', ["Nothing was saved"]),
        ('match=r"^Nothing was saved\\."', ["Nothing was saved"]),
        ('assert "Nothing was lost." in page', []),
        ('"""Nothing was saved."""  # Nothing was saved.', []),
        ('assert ".alert[role=alert]" in page', []),
    ],
)
def test_copies_of_a_sentence_are_found(test, found):
    page = "<p class='alert' role=alert>Nothing was\n  saved. {{ reason }}</p>"
    texts = {"src/page.html": page, "tests/test_saving.py": 'SENTENCE = "Nothing was saved."'}
    assert list(quoted_often(texts | {"tests/test_other.py": test})) == found
