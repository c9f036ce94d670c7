"""Follow docs/hosting.md and docs/operations.md on a bare Debian: `scripts/fresh-machine --guide`.

Every code block of both documents is typed in order, word by word, at one terminal of root; only
what `EXAMPLES` names is replaced. Comments that readers don't see say what to do with a block:

    <!-- run: server -->           the ways to install that type the blocks up to the next such
                                   comment: names of `WAYS`, or `all`, as at a document's start
    <!-- file: /etc/cron.d/x -->   the next block is not typed, but added to this file
    <!-- not run: REASON -->       the next block is left out; six blocks at most

A line that serves until Ctrl-C (`./play`) runs beside the lines after it, until the next such line,
or one whose comment says Ctrl-C. Standard library only.
"""

import json
import os
import pty
import re
import shlex
import sys
import textwrap
import zlib
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

import guide_containers

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ("docs/hosting.md", "docs/operations.md")
WAYS = {
    "clone": {"clone"},
    "friends": {"friends"},
    "domain": {"domain"},
    "server": {"server"},
    "nginx": {"server", "nginx"},
    "postgresql": {"server", "postgresql"},
    "celery": {"server", "postgresql", "celery"},
    "containers": {"containers"},
}
"""The ways to install, and the names of the blocks that each of them types."""
LANDINGS = (
    *(("clone", "bookworm"), ("friends", "bookworm"), ("friends", "trixie")),
    *(("domain", "bookworm"), ("domain", "trixie"), ("nginx", "trixie")),
    *(("server", "bookworm"), ("server", "trixie"), ("celery", "trixie")),
)
"""The ways of which a landing follows one, each with a release of Debian.

`containers` takes twice as long; a landing builds the image if a change touches it.
"""
SERVED = {
    **dict.fromkeys(("server", "nginx", "postgresql", "celery"), "https://games.local/"),
    "clone": "http://localhost:8000/health/ready",
    "friends": "http://10.0.2.100:8000/",
    "domain": "https://games.local/",
    "containers": "http://127.0.0.1:8000/health",
}
"""What must be there after the last line of these ways."""
MAX_EXCUSES = 6
SYSTEMCTL = "docker-systemctl-replacement==1.7.1097"
_PASSWORD = "correct-horse-7"
_NOW = datetime.now(timezone.utc)
_LATER = {days: str((_NOW + timedelta(days)).date()) for days in (4, 5, 6, 7)}
EXAMPLES = [
    (r"https://code\.example\.org/diplomaccloud(\.git)?", "/srv/diplomaccloud.git"),
    (r"\bgames\.example(\.org)?\b", "games.local"),
    (r"(?<=[:='])PASSWORD(?=[@';\s]|$)", _PASSWORD),
    (r"\b50-RANDOM-CHARACTERS\b", "ten-words" * 6),
    (r"(?<=/backups/)NAME\b|(?<=/backups/)diplomaccloud-\d{4}-[-\d]+\.backup", "$NEWEST"),
    (r"(?<=changepassword |resettwofactor )NAME\b|(?<=manage moderator )NAME\b", "ada"),
    (r"2026-12-20", _LATER[4]),
    (r"2026-12-21", _LATER[5]),
    (r"2026-12-24", _LATER[6]),
    (r"2026-12-26", _LATER[7]),
]
"""The examples in documents and in the files of deploy/, and what they become."""
SETTINGS = "/etc/diplomaccloud.env"
_BROKER = r"\1redis://127.0.0.1:6379/0"
EDITS = {
    "server": {SETTINGS: [(r"(?m)^(?=DIPLOMACCLOUD_(EMAIL))", "#")]},
    "postgresql": {SETTINGS: [(r"(?m)^#(?=DIPLOMACCLOUD_DATABASE_URL)", "")]},
    "celery": {SETTINGS: [(r"(?m)^#(DIPLOMACCLOUD_BROKER_URL=).*", _BROKER)]},
    "containers": {"deploy/container/site.env": [(r"(?m)^#(?=DIPLOMACCLOUD_SECRET_KEY)", "")]},
}
"""What `$EDITOR` in the blocks of these names changes in a file, besides the examples."""
ANSWERS = [
    (rb"\[Y/n\] $", b"y"),
    (rb"(?i)(user|screen )name[^\n]*: $", b"ada"),
    (rb"(?i)e-?mail[^\n]*: $", b"ada@games.local"),
    (rb"(?i)password[^\n]*: $", _PASSWORD.encode()),
]
"""What an administrator answers to a question at the terminal."""
STATUSES = {r"\bdoctor\b": {0, 1}}
"""Exit statuses of commands that may be other than 0: 1 means that something needs attention."""
SERVING = re.compile(
    r"(^|/)play\b(?! --help)|\bdiplomaccloud (play|web|manage worker)\b|\bcelery -A\b"
)
_MARK = re.compile(r"^<!-- (run|file|not run): (.+?) -->$")


@dataclass
class Block:
    """A code block of a document: the line where it starts, and what comments say about it."""

    document: str
    line: int
    text: str
    names: frozenset[str]
    file: str = ""
    excuse: str = ""

    @property
    def place(self) -> str:
        """Return where the block is."""
        return f"{self.document}:{self.line}"

    def belongs_to(self, way: str) -> bool:
        """Return whether someone who installs the site in this way types the block."""
        return "all" in self.names or bool(self.names & WAYS[way])


def read_blocks(document: str, text: str) -> list[Block]:
    """Return the code blocks of a document; raise `ValueError` for a comment with a fault."""
    blocks: list[Block] = []
    names, marks = frozenset({"all"}), {}
    lines = [*text.splitlines(), ""]
    number = 0
    while number < len(lines):
        line = lines[number]
        mark = _MARK.match(line)
        if mark:
            kind, value = mark.groups()
            if kind == "run":
                names = frozenset(value.split())
                unknown = names - {"all", *WAYS}
                if unknown:
                    raise ValueError(f"{document}:{number + 1}: no way is named {min(unknown)}")
            else:
                marks[kind] = value
        elif line.startswith("    ") and not lines[number - 1].strip():
            end = number
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end]):
                end += 1
            content = textwrap.dedent("\n".join(lines[number:end])).rstrip()
            about = {"file": marks.get("file", ""), "excuse": marks.get("not run", "")}
            blocks.append(Block(document, number + 1, content, names, **about))
            marks, number = {}, end - 1
        elif line.strip() and marks:
            raise ValueError(f"{document}:{number + 1}: the comment before has no code block")
        number += 1
    return blocks


def read_documents() -> list[Block]:
    """Return the code blocks of the documents in order."""
    return [
        block
        for document in DOCUMENTS
        if (ROOT / document).exists()
        for block in read_blocks(document, (ROOT / document).read_text("utf-8"))
    ]


def replace_examples(text: str) -> str:
    """Return a text of the documents without examples."""
    for pattern, value in EXAMPLES:
        text = re.sub(pattern, value, text)
    return text


def split_commands(text: str) -> list[str]:
    """Return the commands in a block: each is a line, with those that continue it."""
    return [line for line in re.split(r"(?<!\\)\n", text) if line.strip()]


def draw_way(digest: str) -> tuple[str, str]:
    """Return the way that a landing follows, and a release of Debian."""
    return LANDINGS[zlib.crc32(digest.encode()) % len(LANDINGS)]


def write_driver(blocks: list[Block], served: str = "") -> str:
    """Return the script for bash that types the blocks, and then visits an address."""
    steps = (
        [guide_containers.HEALTH] if any("containers" in block.names for block in blocks) else []
    )
    for block in blocks:
        text = replace_examples(block.text)
        if block.file:
            steps.append(shlex.join(["add_to_file", block.place, block.file, text]))
            continue
        for number, command in enumerate(split_commands(text)):
            place = f"{block.document}:{block.line + number}"
            if "$EDITOR" in command:
                steps.append(shlex.join(["export", f"EDITS={' '.join(sorted(block.names))}"]))
            step = "serve" if SERVING.search(command.partition("#")[0]) else "type_line"
            if "Ctrl-C" in command:
                steps.append("press_ctrl_c")
            allowed = [s for pattern, s in STATUSES.items() if re.search(pattern, command)]
            statuses = " ".join(map(str, sorted(set().union({0}, *allowed))))
            steps.append(shlex.join([step, place, command, statuses]))
    if served:
        steps.append(shlex.join(["visit", served]))
    return "\n".join([_DRIVER, *steps, _ENDING])


def write_files(root: Path, way: str, blocks: list[Block]) -> None:
    """Write what the terminal needs to a bare machine: the driver, an editor and systemctl."""
    folder = root / "guide"
    folder.mkdir()
    (folder / "driver").write_text(write_driver(blocks, SERVED.get(way, "")))
    (folder / "changes.json").write_text(json.dumps({"examples": EXAMPLES, "edits": EDITS}))
    local = root / "usr/local/bin"
    for path, text in ((folder / "edit", _EDITOR), (local / "systemctl", _SYSTEMCTL)):
        path.write_text(text)
        path.chmod(0o755)
    with open(root / "etc/hosts", "a") as hosts:
        hosts.write("127.0.0.1 games.local\n")


PREPARATION = f"""
cd / && git clone --quiet --bare --no-hardlinks /project /srv/diplomaccloud.git && rm -r /project &&
git -C /srv/diplomaccloud.git tag v0.4.0 &&
python3 -m venv /opt/systemctl && /opt/systemctl/bin/pip install --quiet {SYSTEMCTL} &&
apt-get -qq update && apt-get -qq install -y libcap2-bin >/dev/null &&
openssl req -x509 -newkey rsa:2048 -nodes -days 9 -subj /CN=games.local \
    -addext subjectAltName=DNS:games.local -addext keyUsage=digitalSignature,keyCertSign \
    -keyout /etc/ssl/games.local.key -out /etc/ssl/games.local.pem 2>/dev/null &&
cp /etc/ssl/games.local.pem /usr/local/share/ca-certificates/games.crt && update-ca-certificates
"""
"""What is done on the bare machine before the first line of the documents.

Nobody signs a certificate for nginx there, so this is its own authority, which the machine trusts.
"""
_EDITOR = """#!/usr/bin/python3
import json, os, re, sys
changes = json.load(open("/guide/changes.json"))
name = sys.argv[1]
text = open(name).read()
edits = [changes["edits"].get(block, {}).get(name, []) for block in os.environ["EDITS"].split()]
for pattern, value in [*sum(edits, []), *changes["examples"]]:
    text = re.sub(pattern, value, text)
open(name, "w").write(text)
"""
# systemd checks and enables the units. Its replacement starts them, but ignores Requires, Wants,
# PartOf and Conflicts of a target, and AmbientCapabilities, for which Caddy's file gets the right.
_SYSTEMCTL = r"""#!/bin/sh
replacement=/opt/systemctl/bin/systemctl3 units=/etc/systemd/system
list() { # TARGET KEYS
    sed -nE "s/^($2)=//p" "$units/$1" | tr ' ' '\n'
}
list_parts() { # TARGET
    for unit in $(list "$1" 'Requires|Wants'); do
        file=$units/$(echo "$unit" | sed 's/@[^.]*/@/')
        grep -qE "^PartOf=(.* )?$1( |$)" "$file" && echo "$unit"
    done
}
trust() { # the certificate of Caddy's own authority
    root=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
    for second in $(seq 30); do [ -e "$root" ] && break; sleep 1; done
    cp "$root" /usr/local/share/ca-certificates/caddy.crt && update-ca-certificates >/dev/null
}
hand_over() { # VERB UNIT, to the replacement, which expands variables before %i and has no %H
    case $2 in *@?*.service)
        instance=${2#*@}
        mkdir -p /run/systemd/system
        sed "s/%i/${instance%.service}/g; s/%H/$(uname -n)/g" \
            "$units/${2%%@*}@.service" >"/run/systemd/system/$2"
        ;;
    esac
    "$replacement" "$1" "$2"
}
act() { # VERB UNIT
    case $1,$2 in
    *start,caddy*)
        setcap cap_net_bind_service=+ep /usr/bin/caddy
        hand_over "$1" "$2" || exit
        trust
        ;;
    start,diplomaccloud*.target)
        for unit in $(list "$2" Conflicts); do hand_over stop "$unit" || exit; done
        for unit in $(list "$2" Requires) $(list "$2" Wants); do
            "$replacement" is-active --quiet "$unit" || hand_over start "$unit" || exit
        done
        ;;
    stop,diplomaccloud*.target | restart,diplomaccloud*.target)
        for unit in $(list_parts "$2"); do hand_over "$1" "$unit" || exit; done
        ;;
    *) hand_over "$1" "$2" || exit ;;
    esac
}
verb=$1
shift
case $verb in
enable | disable)
    now=
    if [ "$1" = --now ]; then now=yes; shift; fi
    for unit; do
        [ "$verb" = disable ] || systemd-analyze verify --man=no --root=/ "$unit" || exit
        /usr/bin/systemctl --root=/ "$verb" "$unit" || exit
        case $now$verb in
        yesenable) act start "$unit" ;;
        yesdisable) act stop "$unit" ;;
        esac
    done
    ;;
daemon-reload) ;;
start | stop | restart) for unit; do act "$verb" "$unit"; done ;;
*) exec "$replacement" "$verb" "$@" ;;
esac
"""
_DRIVER = r"""
set -m
export EDITOR=/guide/edit
export TERM=dumb PIP_QUIET=2
serving= failures=() count=0
find_newest() { NEWEST=$(cd /backups 2>/dev/null && ls -t | head -n 1); }
judge_line() { # PLACE COMMAND STATUS ALLOWED
    count=$((count + 1))
    case " $4 " in
    *" $3 "*) ;;
    *) failures+=("$1: status $3: $2"); echo "guide: failed with status $3" ;;
    esac
}
type_line() { # PLACE COMMAND STATUSES
    printf '\nguide: line %s\n$ %s\n' "$1" "$2"
    find_newest
    eval "$2"
    judge_line "$1" "$2" $? "$3"
    case $2 in "apt install"*) start_servers ;; esac
}
start_servers() { # as Debian does when it installs them, unless systemd is missing
    for name in postgresql redis-server; do
        [ ! -x "/etc/init.d/$name" ] || service "$name" start
    done
}
add_to_file() { # PLACE FILE TEXT
    printf '\nguide: line %s\nto %s: %s\n' "$1" "$2" "$3"
    printf '%s\n' "$3" >>"$2"
    judge_line "$1" "add to $2" $? 0
}
press_ctrl_c() {
    [ -n "$serving" ] || return 0
    kill -INT -- "-$serving"
    wait "$serving" 2>/dev/null
    serving=
}
serve() { # PLACE COMMAND STATUSES
    press_ctrl_c
    printf '\nguide: line %s\n$ %s &\n' "$1" "$2"
    eval "$2" </dev/null &
    serving=$!
    status=0
    for second in $(seq 900); do
        sleep 1
        if ! kill -0 "$serving" 2>/dev/null; then
            wait "$serving"
            status="$? (it ended)" serving=
            break
        fi
        case $2 in
        *worker* | *celery*) [ "$second" -lt 10 ] || break ;;
        *--domain*) is_served https://games.local/ && break ;;
        *) is_served http://127.0.0.1:8000/health/ready && break ;;
        esac
    done
    [ "$second" -lt 900 ] || status=124
    judge_line "$1" "$2" "$status" 0
}
is_served() { # URL
    python3 - "$1" <<'END'
import ssl, sys, urllib.request
trust = ssl.create_default_context()
try:  # the authority that `./play --domain` offers
    own = urllib.request.urlopen("http://games.local/certificate.crt", timeout=20).read()
    trust.load_verify_locations(cadata=own.decode())
except OSError:
    pass
try:
    urllib.request.urlopen(sys.argv[1], timeout=20, context=trust)
except OSError:
    sys.exit(1)
END
}
visit() { # URL
    for second in $(seq 60); do
        is_served "$1" && break
        sleep 1
    done
    is_served "$1"
    judge_line "the end" "$1" $? 0
}
cd /root
"""
_ENDING = r"""
press_ctrl_c
! command -v podman >/dev/null || podman rm --all --force --time 3 >/dev/null 2>&1
systemctl stop diplomaccloud.target diplomaccloud-celery.target >/dev/null 2>&1
if [ "${#failures[@]}" != 0 ]; then
    for log in /var/log/journal/*.log; do
        [ ! -s "$log" ] || { printf '\nguide: the end of %s\n' "$log"; tail -n 25 "$log"; }
    done
fi
printf '\nguide: %d lines typed, %d failed\n' "$count" "${#failures[@]}"
[ "${#failures[@]}" = 0 ] || printf 'guide: failed: %s\n' "${failures[@]}"
[ "${#failures[@]}" = 0 ]
"""


def follow(command: list[str]) -> int:
    """Run a command at a terminal, answer its questions, and return its exit status."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    last = b""
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:  # the terminal is closed
            data = b""
        if not data:
            break
        sys.stdout.buffer.write(data.replace(b"\r\n", b"\n"))
        sys.stdout.flush()
        last = (last + data)[-200:]
        for question, answer in ANSWERS:
            if re.search(question, last):
                os.write(terminal, answer + b"\n")
                last = b""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def follow_way(way: str, root: Path, command: list[str]) -> int:
    """Type the blocks of a way on a bare machine, which `command` enters; return a status.

    Print what fails, and which blocks are excused.
    """
    blocks = read_documents()
    mine = [block for block in blocks if block.belongs_to(way)]
    write_files(root, way, [block for block in mine if not block.excuse])
    status = follow([*command, "bash", "/guide/driver"])
    for block in blocks:
        if block.excuse:
            print(f"guide: not run: {block.place}: {block.excuse}")
    print(f"guide: {way}: {'failed' if status else 'passed'}", flush=True)
    return status
