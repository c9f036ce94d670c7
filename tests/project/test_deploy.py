"""The examples for system services, proxies and containers are valid and call what exists."""

import contextlib
import http.client
import re
import shlex
import shutil
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from judge.tests.effort import PATIENCE
from tests.ports import hold_port
from tests.worker.separate_site import answers, wait_until

from diplomaccloud.judge.cli import build_parser

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
TARGETS = sorted((DEPLOY / "systemd").glob("*.target"))
COMMAND = "/opt/diplomaccloud/current/bin/diplomaccloud"
CELERY = "/opt/diplomaccloud/current/bin/celery"
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


def read_lines(unit, key):
    return re.findall(rf"^{key}=(.*)$", unit.read_text("utf-8"), re.MULTILINE)


def list_celery_workers():
    """Return the words of each instance of Celery's worker after the program, as systemd does."""
    unit = DEPLOY / "systemd" / "diplomaccloud-celery@.service"
    program, *words = read_command(unit)
    assert program == CELERY
    variables = dict(shlex.split(line)[0].split("=", 1) for line in read_lines(unit, "Environment"))
    workers = {}
    for variable in variables:
        instance = variable.removeprefix("CELERY_WORKER_")
        given = [word.replace("%i", instance) for word in words]
        assert f"${variable}" in given
        workers[instance] = [
            part
            for word in given
            for part in (variables[word[1:]].split() if word.startswith("$") else [word])
        ]
    return workers


def list_celery_services():
    """Return the words of each service with Celery in the compose file, after the program."""
    found = {}
    for name, service in read_services().items():
        if service.get("profiles") == ["celery"]:
            *starter, program = service["entrypoint"][:3]
            assert (starter, program) == (["tini", "--"], "celery")
            found[name] = [*service["entrypoint"][3:], *service["command"]]
    return found


def read_services():
    text = (DEPLOY / "container" / "compose.yaml").read_text("utf-8")
    return yaml.safe_load(text)["services"]


def parse_celery(words):
    """Return the options of a command of Celery, as it reads them; fail if it refuses them."""
    click = pytest.importorskip("click")
    from celery.bin.celery import celery
    from celery.bin.worker import worker

    parsed, rest, _ = celery.make_parser(click.Context(celery)).parse_args(list(words))
    assert parsed["app"] == "diplomaccloud.worker.celery_app"
    command, *given = rest
    if command == "beat":
        assert given == []
        return None
    assert command == "worker"
    options, more, _ = worker.make_parser(click.Context(worker)).parse_args(given)
    assert more == []
    return options


@pytest.mark.parametrize("find_words", [list_celery_workers, list_celery_services])
def test_every_queue_belongs_to_one_worker_of_celery(find_words):
    pytest.importorskip("celery")
    workers = [options for words in find_words().values() if (options := parse_celery(words))]
    served = [queue for options in workers for queue in options["queues"].split(",")]
    assert sorted(served) == sorted(settings.QUEUES)
    assert len({options["hostname"] for options in workers}) == len(workers)
    (maps,) = [options for options in workers if "maps" in options["queues"]]
    assert int(maps["concurrency"]) == 1
    # Nothing that takes long may delay deadlines.
    assert "clock" in [options["queues"] for options in workers]


def test_the_target_with_celery_has_every_instance_and_no_plain_worker():
    target = DEPLOY / "systemd" / "diplomaccloud-celery.target"
    wanted = {unit for line in read_lines(target, "Wants") for unit in line.split()}
    instances = {f"diplomaccloud-celery@{name}.service" for name in list_celery_workers()}
    others = {"diplomaccloud-web.service", "diplomaccloud-beat.service"}
    assert wanted == instances | others
    (excluded,) = read_lines(target, "Conflicts")
    assert "diplomaccloud-worker.service" in excluded.split()
    assert not wanted & {*excluded.split()}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.stem)
def test_a_restart_of_a_target_restarts_all_of_it(target):
    """Also the migrations, as the settings may name a new database, without the site's role."""
    lines = [*read_lines(target, "Requires"), *read_lines(target, "Wants")]
    units = {re.sub("@.*[.]", "@.", unit) for line in lines for unit in line.split()}
    assert "diplomaccloud-migrate.service" in units
    for unit in units:
        (parts,) = read_lines(DEPLOY / "systemd" / unit, "PartOf")
        assert target.name in parts.split()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_a_unit_calls_our_command_line(unit):
    program, *words = read_command(unit)
    if program == CELERY:
        assert words[:2] == ["-A", "diplomaccloud.worker.celery_app"]
        return
    assert program == COMMAND
    require_command(words)


def test_systemd_understands_each_unit(tmp_path):
    analyze = find("systemd-analyze")
    for path in (*UNITS, *TARGETS):
        text = re.sub(f"{COMMAND}|{CELERY}", "/bin/true", path.read_text("utf-8"))
        (tmp_path / path.name).write_text(text)
    done = subprocess.run(
        [analyze, "verify", "--man=no", "--recursive-errors=no", *map(str, tmp_path.iterdir())],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


HIDDEN = ("/health", "/health/", "/health/live", "/health/ready?x=1", "/metrics")
PASSED = (
    "/",
    "/healthy",
    "/healthy/live",
    "/metrics.txt",
    "/metricsx",
    "/games/health",
    "/status/",
)


@pytest.fixture
def upstream():
    """The port of a site that answers every request with its address."""

    class Echo(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(self.path)))
            self.end_headers()
            self.wfile.write(self.path.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", hold_port()), Echo) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def visit(port, path):
    """Return the status and the body of the response of a proxy."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"Host": "games.example.org"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@contextlib.contextmanager
def run_proxy(command, port, **variables):
    """Run a proxy until the end of the block."""
    process = subprocess.Popen(
        command, env={"PATH": SBIN, **variables}, stderr=subprocess.PIPE, text=True
    )
    try:
        wait_until(lambda: answers(port) or process.poll() is not None)
        assert process.poll() is None, process.stderr.read()
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def require_hidden(port, subtests):
    """Fail unless the proxy hides health and metrics, and nothing else."""
    for path in HIDDEN:
        with subtests.test(path):
            assert visit(port, path)[0] == 404
    for path in PASSED:
        with subtests.test(path):
            assert visit(port, path) == (200, path)


def write_nginx(place, port=None, upstream=8000):
    """Write a configuration with the example, which listens at `port`; return its path."""
    text = (DEPLOY / "proxy" / "nginx.conf").read_text("utf-8")
    # The certificate in the example does not exist.
    text = re.sub(r"^ *(ssl_certificate.*|listen .*(80|::.*);)\n", "", text, flags=re.MULTILINE)
    listen = f"listen 127.0.0.1:{port};" if port else ""
    text = text.replace("listen 443 ssl;", listen).replace(":8000", f":{upstream}")
    (place / "site.conf").write_text(text)
    whole = place / "nginx.conf"
    temporary = "".join(
        f"{kind}_temp_path {place}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole.write_text(
        f"pid {place}/pid; error_log stderr; daemon off;\nevents {{}}\n"
        f"http {{ access_log off; {temporary} include {place}/site.conf; }}\n"
    )
    return str(whole)


def test_nginx_understands_its_example(tmp_path):
    nginx = find("nginx")
    done = subprocess.run(
        [nginx, "-t", "-p", str(tmp_path), "-c", write_nginx(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_nginx_hides_health_and_metrics_and_nothing_else(tmp_path, upstream, subtests):
    nginx, port = find("nginx"), hold_port()
    file = write_nginx(tmp_path, port, upstream)
    with run_proxy([nginx, "-p", str(tmp_path), "-c", file], port):
        require_hidden(port, subtests)


def test_caddy_understands_its_example(tmp_path):
    caddy = find("caddy")
    done = subprocess.run(
        [caddy, "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "proxy/Caddyfile")],
        capture_output=True,
        text=True,
        env={"HOME": str(tmp_path), "PATH": SBIN},
    )
    assert done.returncode == 0, done.stderr


def test_caddy_hides_health_and_metrics_and_nothing_else(tmp_path, upstream, subtests):
    caddy, port = find("caddy"), hold_port()
    text = (DEPLOY / "proxy" / "Caddyfile").read_text("utf-8")
    text = text.replace(":8000", f":{upstream}").replace(
        "games.example.org {", f"http://games.example.org:{port} {{"
    )
    file = tmp_path / "Caddyfile"
    file.write_text(f"{{\n\tadmin off\n\tauto_https off\n}}\n{text}")
    command = [caddy, "run", "--adapter", "caddyfile", "--config", str(file)]
    with run_proxy(command, port, HOME=str(tmp_path)):
        require_hidden(port, subtests)


def test_the_services_of_the_compose_file_call_our_command_line():
    services, celery = read_services(), list_celery_services()
    ours = {name: it for name, it in services.items() if it["image"] == "diplomaccloud"}
    assert set(ours) - set(celery) == {"migrate", "web", "worker", "backup", "restore"}
    for name, service in ours.items():
        if name not in celery:
            require_command(list_words(service))
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["depends_on"].keys() <= services.keys()
        assert (DEPLOY / "container" / service["env_file"]).is_file()


def test_one_service_of_the_compose_file_builds_the_image_and_the_others_follow_it():
    services = read_services()
    (builder,) = (name for name, service in services.items() if "build" in service)
    build = services[builder]["build"]
    assert (DEPLOY / "container" / build["context"] / build["dockerfile"]).is_file()
    for name in ("web", "worker", *list_celery_services()):
        assert services[name]["image"] == services[builder]["image"]
        assert services[name]["pull_policy"] == "never"
        assert builder in services[name]["depends_on"]


def list_words(service):
    """Return what a service of the compose file gives to our command line."""
    *starter, command = service.get("entrypoint", read_entrypoint())[:3]
    assert (starter, command) == (["tini", "--"], "diplomaccloud")
    return [*service.get("entrypoint", [])[3:], *service["command"]]


def read_entrypoint():
    recipe = (DEPLOY / "container" / "Containerfile").read_text("utf-8")
    (words,) = re.findall(r"^ENTRYPOINT (\[.*\])$", recipe, re.MULTILINE)
    return yaml.safe_load(words)


def test_tools_of_the_compose_file_share_a_folder_that_the_image_has():
    services = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text("utf-8"))[
        "services"
    ]
    for name in ("backup", "restore"):
        assert services[name]["profiles"] == ["tools"]
        data, backups = services[name]["volumes"]
        assert data in services["web"]["volumes"]
        folder = backups.rpartition(":")[2]
        assert services[name]["command"][-1] == folder
        # An empty volume takes the owner of the image's folder.
        steps = (DEPLOY / "container" / "build").read_text("utf-8")
        assert re.search(rf"install .*--owner=diplomaccloud .* {folder}$", steps, re.MULTILINE)


def test_the_clients_in_the_image_are_as_new_as_the_server_of_the_compose_file():
    steps = (DEPLOY / "container" / "build").read_text("utf-8")
    (client,) = map(int, re.findall(r"\bpostgresql-client-(\d+)\b", steps))
    services = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text("utf-8"))[
        "services"
    ]
    server = int(services["database"]["image"].rpartition(":")[2])
    assert client >= server
    assert re.search(r"\bmariadb-client\b", steps)


def test_the_recipe_of_the_container_runs_the_steps_that_are_tried_without_one():
    recipe = (DEPLOY / "container" / "Containerfile").read_text("utf-8")
    trial = (DEPLOY.parent / "scripts" / "fresh-machine").read_text("utf-8")
    steps = re.findall(r"/project/(deploy/container/build \w+ /wheels)", recipe)
    assert len(steps) == 2
    assert all(step in trial for step in steps)
    assert re.search(r"^USER 10001:10001$", recipe, re.MULTILINE)
    (words,) = re.findall(r"^CMD (\[.*\])$", recipe, re.MULTILINE)
    require_command(yaml.safe_load(words))
