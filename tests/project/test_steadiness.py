"""No test gambles: none waits for a fixed time, judges by the clock, draws without a seed, or asks
for a port that another process may take.

A line that must do so ends with a comment, `# steady:` and the reason. Waits in a loop that ends
when something has happened need none, nor do those whose length is drawn with a seed.
"""

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = (ROOT / "tests", ROOT / "judge" / "tests", *ROOT.glob("extras/*/tests"))
EXCUSE = re.compile(r"# steady: \S")

WAIT = "Wait for what must happen (`wait_until`, or a loop with an end), not for a fixed time."
TIMED = "Count the work (`count_calls`) or look at its outcome: a busy machine is slow."
DRAWN = "Draw with a seed, `random.Random(1)`, so that a failure can be repeated."
TAKEN = "Take a port from `tests.ports.hold_port`, or let the server listen at port 0."

SLEEPS = {"sleep", "wait_for_timeout"}
SCRIPT_SLEEP = re.compile(r"setTimeout\([^()]+, *[1-9]")
STOPWATCHES = {"perf_counter", "perf_counter_ns", "process_time", "process_time_ns", "thread_time"}
CLOCKS = STOPWATCHES | {"monotonic", "monotonic_ns"}
SYSTEM_DRAWS = {"SystemRandom", "urandom", "randbelow"}
SEEDED = {"Random", "default_rng", "seed"}
NO_SEEDS = {"getpid", "time", "time_ns", "now", *CLOCKS}
PORT_FINDERS = {"free_port", "unused_tcp_port", "unused_port"}
SUSPECT = re.compile(
    "|".join([*SLEEPS, "setTimeout", *CLOCKS, *SYSTEM_DRAWS, *PORT_FINDERS])
    + r"|Random\(|random\.|default_rng|secrets\.choice|settings\(|\.bind\(|--port"
    + r"|\w\(\) - |- [\w.]+\(\)"
)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Finder(ast.NodeVisitor):
    """Collects the lines that gamble, and what to do instead."""

    def __init__(self):
        self.found = []
        self.functions, self.polls = [], 0

    def add(self, node, advice):
        self.found.append((node.lineno, advice))

    def visit(self, node):
        if isinstance(node, FUNCTIONS):
            self.functions.append(node)
            polls, self.polls = self.polls, 0
            super().visit(node)
            self.polls = polls
            self.functions.pop()
        elif is_poll(node):
            self.polls += 1
            super().visit(node)
            self.polls -= 1
        else:
            super().visit(node)

    def visit_Call(self, node):
        name, value = name_of(node.func), getattr(node.func, "value", None)
        if name in SLEEPS and not self.polls and is_fixed(node.args):
            self.add(node, WAIT)
        if name in STOPWATCHES:
            self.add(node, TIMED)
        if name in SYSTEM_DRAWS or (name, name_of(value)) == ("choice", "secrets"):
            self.add(node, DRAWN)
        if name_of(value) == "random" and self.draws_at_random(node):
            self.add(node, DRAWN)
        given = {keyword.arg: keyword.value for keyword in node.keywords}
        if name == "settings" and getattr(given.get("deadline"), "value", None) is not None:
            self.add(node, TIMED)
        if name in SEEDED and not has_seed(node):
            self.add(node, DRAWN)
        if name == "bind" and node.args and isinstance(node.args[0], ast.Tuple):
            within = {name_of(call.func) for call in calls_in(self.functions[-1:])}
            if not within & {"listen", "connect"}:
                self.add(node, TAKEN)
        if name in PORT_FINDERS:
            self.add(node, TAKEN)
        self.look_for_fixed_port(node.args)
        self.generic_visit(node)

    def draws_at_random(self, call):
        """Return whether a call of an attribute of `random` is one of the module's."""
        names = {arg.arg for function in self.functions for arg in function.args.args}
        return name_of(call.func) not in SEEDED and "random" not in names

    def visit_Assert(self, node):
        if any(map(is_duration, ast.walk(node))):
            self.add(node, TIMED)
        self.generic_visit(node)

    def visit_Assign(self, node):
        named = {target.id for target in node.targets if isinstance(target, ast.Name)}
        if is_duration(node.value) and named & self.list_asserted():
            self.add(node, TIMED)
        self.generic_visit(node)

    def list_asserted(self):
        """Return the names that the function's assertions contain."""
        return {
            part.id
            for function in self.functions[-1:]
            for statement in ast.walk(function)
            if isinstance(statement, ast.Assert)
            for part in ast.walk(statement)
            if isinstance(part, ast.Name)
        }

    def visit_List(self, node):
        self.look_for_fixed_port(node.elts)
        self.generic_visit(node)

    def visit_Tuple(self, node):
        self.look_for_fixed_port(node.elts)
        self.generic_visit(node)

    def look_for_fixed_port(self, parts):
        for option, port in pairwise(parts):
            if is_text(option, "--port") and is_text(port, r"[1-9]\d{0,3}|[1-6]\d{4}"):
                self.add(port, TAKEN)

    def visit_arg(self, node):
        if node.arg in PORT_FINDERS:
            self.add(node, TAKEN)

    def visit_Constant(self, node):
        if isinstance(node.value, str):
            for number, line in enumerate(node.value.split("\n")):
                if SCRIPT_SLEEP.search(line) and "while" not in line:
                    self.found.append((node.lineno + number, WAIT))


def name_of(node):
    return getattr(node, "attr", getattr(node, "id", None))


def calls_in(nodes):
    return [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call)]


def is_poll(node):
    """Return whether a loop ends when it finds something."""
    ends = isinstance(node, ast.For) and any(
        isinstance(part, ast.Break | ast.Return) for part in ast.walk(node)
    )
    return ends or isinstance(node, ast.While)


def is_fixed(arguments):
    """Return whether a time to wait is fixed: not zero, drawn, or until an instant."""
    is_zero = any(isinstance(part, ast.Constant) and part.value == 0 for part in arguments)
    return not is_zero and not calls_in(arguments)


def is_text(node, pattern):
    return isinstance(node, ast.Constant) and bool(re.fullmatch(pattern, str(node.value)))


def is_duration(node):
    """Return whether this is the time since an instant, or until one, not an instant before now."""
    if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)):
        return False
    if re.search(r"timedelta|\b[A-Z_]{2,}\b", ast.unparse(node)):
        return False
    called = {ast.unparse(call.func).rpartition(".")[2] for call in calls_in([node])}
    return bool(called & (CLOCKS | {"time", "now"}))


def has_seed(call):
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    return bool(given) and not any(name_of(part.func) in NO_SEEDS for part in calls_in(given))


def find_gambles(text):
    """Return the numbers of the lines of a program that gamble, with advice."""
    finder = Finder()
    finder.visit(ast.parse(text))
    lines = text.splitlines()
    return [
        (number, advice)
        for number, advice in sorted(set(finder.found))
        if not EXCUSE.search(lines[number - 1])
    ]


def test_no_test_gambles():
    gambles = [
        f"{path.relative_to(ROOT)}:{number}: {advice}"
        for path in sorted(path for folder in TESTS for path in folder.rglob("*.py"))
        if SUSPECT.search(text := path.read_text("utf-8"))
        for number, advice in find_gambles(text)
    ]
    assert not gambles, "\n".join(gambles)


@pytest.mark.parametrize(
    ("advice", "line"),
    [
        (WAIT, "time.sleep(0.5)"),
        (WAIT, "time.sleep(PAUSE)"),
        (WAIT, "await asyncio.sleep(1)"),
        (WAIT, "page.wait_for_timeout(300)"),
        (WAIT, "[sleep(1) for _ in range(3)]"),
        (WAIT, "evaluate('new Promise((go) => setTimeout(go, 50))')"),  # steady: an example
        (TIMED, "assert time.monotonic() - began < 2"),
        (TIMED, "assert time.time() - began < 2"),
        (TIMED, "assert timezone.now() - began < SECOND"),
        (TIMED, "took = monotonic() - began\n    assert took < limit"),
        (TIMED, "began = time.perf_counter()"),
        (TIMED, "began = process_time()"),
        (TIMED, "@settings(deadline=200)\n    def test(): pass"),
        (DRAWN, "random.choice(orders)"),
        (DRAWN, "random.Random()"),
        (DRAWN, "Random(os.getpid())"),
        (DRAWN, "random.Random(f'{time.time()}')"),
        (DRAWN, "np.random.default_rng()"),
        (DRAWN, "np.random.random(7)"),
        (DRAWN, "os.urandom(7)"),
        (DRAWN, "secrets.choice(orders)"),
        (TAKEN, "probe.bind((host, 0))\n    return probe.getsockname()[1]"),
        (TAKEN, "port = free_port()"),
        (TAKEN, "run('play', '--port', '8765')"),
        (TAKEN, "command = ['play', '--port', '8765']"),
    ],
)
def test_a_gamble_is_found(advice, line):
    text = f"async def test_it():\n    {line}\n"
    assert find_gambles(text) == [(2, advice)]
    head = line.split("\n")[0]
    assert find_gambles(text.replace(head, f"{head}  # steady: the subject", 1)) == []
    assert find_gambles(text.replace(head, f"{head}  # steady:", 1)) == [(2, advice)]


@pytest.mark.parametrize(
    "line",
    [
        "while not found():\n        time.sleep(0.1)",
        "for _ in range(9):\n        if found(): break\n        page.wait_for_timeout(50)",
        "await asyncio.sleep(0)",
        "time.sleep(rng.uniform(0, 2))",
        "time.sleep(max(0, at - time.time()))",
        "page.evaluate('while (!done()) await new Promise((go) => setTimeout(go, 50))')",
        "assert time.monotonic() < end",
        "@settings(deadline=None)\n    def test(): pass",
        "left = end - time.monotonic()",
        "early = timezone.now() - HOUR\n    assert found > early",
        "rng = random.Random(7)",
        "random.seed(7)",
        "rng = np.random.default_rng(seed)",
        "key = secrets.token_hex(4)",
        "taken.bind(('127.0.0.1', 0))\n    taken.listen()",
        "plan.bind([order], ())",
        "run('play', '--port', '0')",
        "run('play', '--port', '99999')",
    ],
)
def test_what_is_steady_passes(line):
    assert find_gambles(f"async def test_it():\n    {line}\n") == []


def test_random_may_be_an_argument_that_hypothesis_draws():
    assert find_gambles("def test_it(random):\n    random.choice(orders)\n") == []
