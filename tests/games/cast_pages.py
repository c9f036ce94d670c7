"""The pages of a game's life, read and sent by one of the cast."""

from diplomaccloud.games.table.phase_models import Phase

SECRET = "A VIE - GAL"
EVERYBODY = ("alice", "bob", "charlie", "nobody")
MASTERS_ACTS = (
    "time",
    "end-phase",
    "remove",
    "reprimand",
    "roll-back",
    "roll-forward",
    "preview",
)


def life(cast, who):
    return cast.client(who).get(cast.url()).context["view"].status


def post(cast, who, rest, **data):
    """Send a form, which names the open phase as its page does."""
    if rest.startswith(("master/", "votes/", "bot/")):
        data = {"phase": Phase.objects.count(), **data}
    return cast.client(who).post(cast.url(rest), data)


def log_of(cast, who="nobody", page=1):
    return cast.client(who).get(cast.url(f"log/?page={page}")).context["log"]
