"""Prepare Podman on the bare machine of `scripts/fresh-machine --guide containers`.

No image can be pulled there. Their base is another bare Debian, imported under the name that the
recipe has for it; PostgreSQL and Valkey are Debian's, started as their images start them. systemd,
which would check whether a container is healthy, does not run either: a loop does that. Everything
else is Podman's own. Standard library only.
"""

import json
import re
import shlex
from pathlib import Path

RECIPE = Path(__file__).resolve().parent.parent / "deploy" / "container" / "Containerfile"
BASE, SUITE = re.findall(r"(?m)^FROM (\S+/debian:(\w+)-slim)$", RECIPE.read_text("utf-8"))[0]
"""The image on which the site's image is built, and its release of Debian."""
FOLDER = "images"
"""Where the bare machine has what its images are made of."""
_DATABASE = r"""#!/bin/sh
set -e
data=/var/lib/postgresql/data bin=/usr/lib/postgresql/17/bin
start() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }
install -d -o postgres -g postgres -m 700 "$data"
if [ ! -e "$data/PG_VERSION" ]; then
    printf '%s' "$POSTGRES_PASSWORD" >/tmp/password
    chmod 644 /tmp/password
    start "$bin/initdb" -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password >/dev/null
    echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
    echo "CREATE DATABASE \"$POSTGRES_DB\"" | start "$bin/postgres" --single -D "$data" postgres
fi
exec setpriv --reuid=postgres --regid=postgres --clear-groups \
    "$bin/postgres" -D "$data" -c listen_addresses='*'
"""
_CACHE = '#!/bin/sh\nexec "$@" --protected-mode no\n'
SERVERS = {
    "docker.io/library/postgres:17": ("postgresql-17", _DATABASE),
    "docker.io/valkey/valkey:8": ("valkey-server", _CACHE),
}
"""The other images in compose.yaml, each with Debian's package and a program that starts it."""
# Podman's own, crun, refuses this machine's control groups if they are of both versions.
_RUNTIME = f"""#!/bin/sh
case " $* " in
*' --bundle '* | *' --process '*) /usr/bin/python3 /{FOLDER}/limits "$@" || exit ;;
esac
exec /usr/sbin/runc "$@"
"""
_LIMITS = """import json, resource, sys
kind = "--bundle" if "--bundle" in sys.argv else "--process"
name = sys.argv[sys.argv.index(kind) + 1] + ("/config.json" if kind == "--bundle" else "")
config = json.load(open(name))
for limit in config.get("process", config).get("rlimits", []):  # nobody may raise ours
    most = resource.getrlimit(getattr(resource, limit["type"]))[1]
    if most != resource.RLIM_INFINITY:
        limit.update(hard=min(limit["hard"], most), soft=min(limit["soft"], most))
json.dump(config, open(name, "w"))
"""
HEALTH = """
while sleep 2; do
    for container in $(podman ps --quiet --filter health=starting 2>/dev/null); do
        podman healthcheck run "$container"
    done
done </dev/null >/dev/null 2>&1 &
"""
"""What checks whether containers are healthy, for the driver."""


def write_files(root: Path, indexes: list[Path]) -> None:
    """Write to the bare machine what its images are made of, and how Podman runs here.

    `indexes` are local folders from which pip installs packages.
    """
    folder = root / FOLDER
    for name, (package, start) in SERVERS.items():
        place = folder / name.partition(":")[0].rpartition("/")[2]
        place.mkdir(parents=True)
        (place / "start").write_text(start)
        (place / "start").chmod(0o755)
        install = f"apt-get -qq update && apt-get -qq install -y {package} >/dev/null"
        (place / "Containerfile").write_text(
            f'FROM {BASE}\nRUN {install}\nCOPY start /start\nENTRYPOINT ["/start"]\n'
        )
    (folder / "limits").write_text(_LIMITS)
    runtime = folder / "runc"
    runtime.write_text(_RUNTIME)
    runtime.chmod(0o755)
    settings = root / "etc/containers/containers.conf"
    settings.parent.mkdir(parents=True, exist_ok=True)
    volumes = json.dumps([f"{index}:{index}:ro" for index in indexes])
    settings.write_text(
        f'[containers]\nnetns = "host"\nvolumes = {volumes}\n'
        '[engine]\nruntime = "runc"\nenv = ["PODMAN_IGNORE_CGROUPSV1_WARNING=1"]\n'
        f'[engine.runtimes]\nrunc = ["/{FOLDER}/runc"]\n'
    )


def write_preparation() -> str:
    """Return the script that makes the images; the documents' own line installs Podman again."""
    builds = [
        f"podman build --quiet --tag {shlex.quote(name)} /{FOLDER}/"
        + name.partition(":")[0].rpartition("/")[2]
        for name in SERVERS
    ]
    return "\n".join(
        [
            "set -e",
            "apt-get -qq install -y podman runc >/dev/null",
            f"tar -C /{FOLDER}/debian --one-file-system -c . | podman import --quiet - {BASE}",
            *builds,
            "apt-mark manual runc >/dev/null",
            "apt-get -qq autoremove -y podman >/dev/null",
        ]
    )
