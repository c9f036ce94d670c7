"""The examples for system services, proxies and containers are valid and call what exists."""

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from diplomaccloud.judge.cli import build_parser

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
COMMAND = "/opt/diplomaccloud/bin/diplomaccloud"
SBIN = "/usr/sbin:/usr/bin:/sbin:/bin"


def find(program):
    """Return the path of a program of the system, and skip the test without it."""
    path = shutil.which(program, path=SBIN)
    if path is None:
        pytest.skip(f"{program} is not installed")
    return path


def require_command(words):
    """Fail unless our command line understands these words."""
    options = build_parser().parse_args(words)
    assert callable(options.run)


def read_command(unit):
    (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text("utf-8"), re.MULTILINE)
    return shlex.split(line)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_calls_our_command_line(unit):
    program, *words = read_command(unit)
    assert program == COMMAND
    require_command(words)


def test_systemd_understands_each_unit(tmp_path):
    analyze = find("systemd-analyze")
    for path in (*UNITS, DEPLOY / "systemd" / "diplomaccloud.target"):
        text = path.read_text("utf-8").replace(COMMAND, "/bin/true")
        (tmp_path / path.name).write_text(text)
    done = subprocess.run(
        [analyze, "verify", "--man=no", "--recursive-errors=no", *map(str, tmp_path.iterdir())],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_nginx_understands_its_example(tmp_path):
    nginx = find("nginx")
    text = (DEPLOY / "proxy" / "nginx.conf").read_text("utf-8")
    # The certificate in the example does not exist.
    text = re.sub(r"^ *(listen .*443 ssl;|ssl_certificate.*)\n", "", text, flags=re.MULTILINE)
    (tmp_path / "site.conf").write_text(text)
    whole = tmp_path / "nginx.conf"
    whole.write_text(
        f"pid {tmp_path}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ access_log off; include {tmp_path}/site.conf; }}\n"
    )
    done = subprocess.run(
        [nginx, "-t", "-p", str(tmp_path), "-c", str(whole)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_caddy_understands_its_example(tmp_path):
    caddy = find("caddy")
    done = subprocess.run(
        [caddy, "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "proxy/Caddyfile")],
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": SBIN},
    )
    assert done.returncode == 0, done.stderr


def test_the_services_of_the_compose_file_call_our_command_line():
    file = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text("utf-8"))
    services = file["services"]
    ours = {name: service for name, service in services.items() if "build" in service}
    assert set(ours) == {"migrate", "web", "worker", "mapmaker"}
    for service in ours.values():
        require_command(service["command"])
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["depends_on"].keys() <= services.keys()
        recipe = DEPLOY / "container" / service["build"]["context"] / service["build"]["dockerfile"]
        assert recipe.is_file()
        assert (DEPLOY / "container" / service["env_file"]).is_file()


def test_the_recipe_of_the_container_runs_the_steps_that_are_tried_without_one():
    recipe = (DEPLOY / "container" / "Containerfile").read_text("utf-8")
    trial = (DEPLOY.parent / "scripts" / "fresh-machine").read_text("utf-8")
    steps = re.findall(r"/project/(deploy/container/build \w+ /wheels)", recipe)
    assert len(steps) == 2
    assert all(step in trial for step in steps)
    assert re.search(r"^USER 10001:10001$", recipe, re.MULTILINE)
    (words,) = re.findall(r"^CMD (\[.*\])$", recipe, re.MULTILINE)
    require_command(yaml.safe_load(words))
