"""How this site was installed, so that advice names the commands that work here.

The examples in `deploy` decide: the names of their units, of the compose file's services and of the
files with the settings.
"""

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from django.conf import settings

from diplomaccloud.project import variables

_ROOT: Final = Path(__file__).parents[3]
_UNITS: Final = ("/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system")
_CONTAINERS: Final = {"podman": "/run/.containerenv", "docker": "/.dockerenv"}
_COMMAND: Final = re.compile(r"`diplomaccloud ([^`]*)`")
_SETTING: Final = re.compile("DIPLOMACCLOUD_(?!KERNEL)")
_SERVED_BY: Final = {"default": "notices"}
"""Queues of Celery that a service of another name serves, too."""
_SETTINGS: Final = "deploy/container/site.env"
_CELERY: Final = "celery -A diplomaccloud.worker.celery_app worker -Q"


class Way(StrEnum):
    """A way to install the site."""

    CLONE = "clone"
    """`./play` in a clone of the repository."""
    CONTAINERS = "containers"
    """The compose file."""
    SYSTEMD = "systemd"
    """The units, in an environment with the wheels."""
    OTHER = "other"
    """An environment without anything that starts its processes."""


@dataclass(frozen=True, slots=True)
class Installation:
    """How the site was installed: the way, whether Celery runs its work, and where programs are.

    `program` is the folder of our commands, or with containers the program that runs them.
    """

    way: Way
    with_celery: bool
    program: str

    def adapt(self, fix: str) -> str:
        """Return a fix whose commands work here, and which says where its settings are."""
        names_setting = _SETTING.search(fix)
        fix = _COMMAND.sub(lambda match: f"`{self.name_command(match[1])}`", fix)
        return f"{fix} {self._place_settings()}" if names_setting else fix

    def name_command(self, words: str) -> str:
        """Return the line that runs a command of `diplomaccloud` on this site."""
        if self.way is Way.CONTAINERS:
            command, _, rest = words.partition(" ")
            if command in {"backup", "restore"}:
                return self._compose("--profile tools run --rm --no-deps", command, rest)
            return self._compose("run --rm --no-deps web", words)
        if self.way is Way.SYSTEMD:
            # It has the settings, which only root can read.
            return f"{self.program}/diplomaccloud-site {words}"
        # `./play` has the data beside the code, and commands in the current directory.
        data = f"DIPLOMACCLOUD_DATA={settings.DATA_DIR} " if self.way is Way.CLONE else ""
        return f"{data}{self.program}/diplomaccloud {words}"

    def start_worker(self, queues: Sequence[str] = ()) -> str:
        """Return a sentence about how to start a worker, or Celery's workers for some queues."""
        services = sorted({_SERVED_BY.get(queue, queue) for queue in queues or ("clock",)})
        if self.way is Way.CONTAINERS:
            names = [f"celery-{name}" for name in services] if self.with_celery else ["worker"]
            return f"Run `{self._compose(self._profile, 'up -d', *names)}`."
        if self.way is Way.SYSTEMD:
            names = (
                [f"diplomaccloud-celery@{name}" for name in services]
                if self.with_celery
                else ["diplomaccloud-worker"]
            )
            return f"Run `systemctl start {' '.join(names)}`."
        if self.with_celery:
            return f"Run `{self.program}/{_CELERY} {','.join(queues or ('clock',))}`."
        if self.way is Way.CLONE:
            return f"Start the site again with `{_ROOT}/play`."
        return f"Run `{self.name_command('manage worker')}`."

    def show_log(self) -> str:
        """Return a sentence about where the workers' log is."""
        if self.way is Way.CONTAINERS:
            names = ["celery-clock", "celery-notices"] if self.with_celery else ["worker"]
            return f"Their log: `{self._compose(self._profile, 'logs', *names)}`."
        if self.way is Way.SYSTEMD:
            unit = "'diplomaccloud-celery@*'" if self.with_celery else "diplomaccloud-worker"
            return f"Their log: `journalctl -u {unit}`."
        if self.way is Way.CLONE and not self.with_celery:
            return "Their log is logs/worker.log in the data directory."
        return "Look at what they wrote."

    def install_package(self, name: str) -> str:
        """Return a sentence about how to install a package of Debian where the site runs."""
        if self.way is Way.CONTAINERS:
            return f"Add {name} to deploy/container/build, and run `{self._compose('build')}`."
        return f"Run `apt install {name}` (on Debian)."

    def compile_kernels(self) -> str:
        """Return a sentence about how to get compiled kernels."""
        if self.way is Way.CONTAINERS:
            return f"Run `{self._compose('build')}`, and then `{self._renew()}`."
        packages = "`apt install gcc python3-dev` (on Debian)"
        if self.way is Way.CLONE:
            return f"Run {packages} and `{_ROOT}/scripts/kernel`, and start the site again."
        return (
            f"In a clone, run {packages} and `DIPLOMACCLOUD_KERNEL=compiled scripts/wheels dist`. "
            f"Then run `{self.program}/pip install --no-deps --force-reinstall "
            "dist/diplomaccloud*.whl` there, and restart the site."
        )

    def _place_settings(self) -> str:
        if self.way is Way.CONTAINERS:
            return f"Settings are in {_SETTINGS}; after a change, run `{self._renew()}`."
        if self.way is Way.SYSTEMD:
            target = "diplomaccloud-celery.target" if self.with_celery else "diplomaccloud.target"
            return (
                "Settings are in /etc/diplomaccloud.env; after a change, run "
                f"`systemctl restart {target}`."
            )
        if self.way is Way.CLONE:
            return "Settings are environment variables of `./play`; after a change, start it again."
        return "Settings are environment variables; after a change, restart all processes."

    @property
    def _profile(self) -> str:
        return "--profile celery" if self.with_celery else ""

    def _renew(self) -> str:
        """Return the command that starts containers again with new settings or a new image."""
        # `podman-compose` would keep those that run.
        return self._compose(self._profile, "up -d --force-recreate")

    def _compose(self, *words: str) -> str:
        given = " ".join(word for word in words if word)
        # Some releases of `podman-compose` find no file in another folder.
        return f"cd deploy/container && {self.program} compose {given}"


@cache
def find_installation() -> Installation:
    """Return how this site was installed, which is guessed from files that only one way has."""
    with_celery = bool(variables.BROKER_URL.read())
    current = Path(sys.prefix).with_name("current")
    is_current = current.exists() and current.samefile(sys.prefix)
    programs = f"{current if is_current else sys.prefix}/bin"
    if (_ROOT / ".git").exists():  # perhaps in somebody's own container
        return Installation(Way.CLONE, with_celery, programs)
    for program, marker in _CONTAINERS.items():
        if Path(marker).exists():
            return Installation(Way.CONTAINERS, with_celery, program)
    has_unit = any(Path(folder, "diplomaccloud-web.service").exists() for folder in _UNITS)
    return Installation(Way.SYSTEMD if has_unit else Way.OTHER, with_celery, programs)
