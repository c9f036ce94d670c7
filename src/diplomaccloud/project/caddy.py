"""HTTPS for a site on this machine: Caddy in front of its web server.

Caddy gets a certificate for a public name from an authority that browsers know. For `localhost`,
names that end in `.local`, IP addresses, and ports other than 443, it has an authority of its own,
whose certificate each device must install first; the site offers it at `CERTIFICATE`.
"""

import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from diplomaccloud.project.invitation import build_url, find_name, is_own, list_addresses

HTTPS_PORT: Final = 443
_HTTP_PORT: Final = 80
CERTIFICATE: Final = "/certificate.crt"
"""The path at which the site offers the certificate of its own authority."""
_NAME: Final = re.compile(r"(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9-]{2,63}")
_OWN: Final = re.compile(r"[^.]+|.+\.(home\.arpa|internal|lan|local|localhost|test)")
"""Names for which no public authority gives certificates."""
_SITE: Final = """\
	# Health and metrics are only for this machine.
	@internal path /health /health/* /metrics
	respond @internal 404

	request_body {{
		max_size 5MB
	}}

	reverse_proxy {upstream} {{
		# Live streams must not wait for a buffer to fill.
		flush_interval -1
		# The web server may be starting.
		lb_try_duration 20s
		header_up X-Request-ID {{http.request.uuid}}
		transport http {{
			# The site ends an idle connection after ten seconds.
			keepalive 5s
		}}
	}}
"""
"""The rules of `deploy/proxy/Caddyfile`, without compression, because the site compresses."""
_OFFER: Final = """\
	handle {path} {{
		root * {folder}
		rewrite * /root.crt
		header Content-Type application/x-x509-ca-cert
		file_server
	}}
"""


class ProxyError(OSError):
    """Raised if Caddy cannot serve the site; the message gives the reason and a fix."""


@dataclass(frozen=True, slots=True)
class Front:
    """The address of a site behind Caddy, and where the files of this Caddy are."""

    domain: str
    port: int
    folder: Path

    @property
    def has_own_authority(self) -> bool:
        """Whether devices must install a certificate first."""
        is_own_name = is_address(self.domain) or bool(_OWN.fullmatch(self.domain))
        return is_own_name or self.port != HTTPS_PORT

    @property
    def origin(self) -> str:
        """The origin of the site's pages."""
        return build_url("https", self.domain, self.port).rstrip("/")

    @property
    def authority(self) -> Path:
        """The folder of the own authority, with its certificate `root.crt`."""
        return self.folder / "storage" / "pki" / "authorities" / "local"

    def build_environment(self) -> dict[str, str]:
        """Return the environment variables of the site; names that are set already are kept."""
        host = f"[{self.domain}]" if ":" in self.domain else self.domain
        names = os.environ.get("DIPLOMACCLOUD_ALLOWED_HOSTS", "localhost 127.0.0.1 [::1]")
        origins = os.environ.get("DIPLOMACCLOUD_TRUSTED_ORIGINS", "")
        return {
            "DIPLOMACCLOUD_ALLOWED_HOSTS": f"{host} {names}",
            "DIPLOMACCLOUD_TRUSTED_ORIGINS": f"{self.origin} {origins}".strip(),
            "DIPLOMACCLOUD_HTTPS": "1",
            "DIPLOMACCLOUD_PROXIES": "1",
        }

    def build_config(self, upstream: str) -> str:
        """Return the Caddyfile; `upstream` is the host and port of the web server."""
        is_trial = self.port != HTTPS_PORT
        offer = _OFFER.format(path=CERTIFICATE, folder=_quote(self.authority))
        lines = [
            "{",
            "\tadmin off",
            "\tskip_install_trust",
            "\tgrace_period 2s",  # without it, live streams would keep Caddy from ending
            f"\tstorage file_system {_quote(self.folder / 'storage')}",
            *(["\tauto_https disable_redirects", f"\thttps_port {self.port}"] if is_trial else []),
            "\tlog {",
            "\t\tlevel ERROR",
            "\t}",
            "}",
            f"{self.origin} {{",
        ]
        text = "\n".join(lines) + "\n"
        if self.has_own_authority:
            # Browsers that have seen the header would refuse each device without the certificate.
            text += f"\ttls internal\n\theader -Strict-Transport-Security\n{offer}"
        text += _SITE.format(upstream=upstream) + "}\n"
        if self.has_own_authority and not is_trial:
            redirect = "\thandle {\n\t\tredir https://{host}{uri} permanent\n\t}\n"
            text += f"{build_url('http', self.domain, _HTTP_PORT).rstrip('/')} {{\n"
            text += f"{offer}{redirect}}}\n"
        return text

    @property
    def is_here_only(self) -> bool:
        """Whether nobody but this machine can use the address."""
        return (
            self.domain == "localhost"
            or self.domain.endswith(".localhost")
            or is_loopback(self.domain)
        )

    def list_advice(self) -> Iterator[str]:
        """Yield sentences about what the host must do besides."""
        if self.has_own_authority:
            scheme = "https" if self.port != HTTPS_PORT else "http"
            port = self.port if scheme == "https" else _HTTP_PORT
            yield (
                "This site has an authority of its own. Each device must first install "
                f"{self.authority / 'root.crt'}, which is also at "
                f"{build_url(scheme, self.domain, port)[:-1]}{CERTIFICATE}"
            )
        addresses = _resolve(self.domain)
        if not addresses or any(map(is_own, addresses)):
            return
        here = ", ".join(map(str, list_addresses())) or "none"
        yield (
            f"{self.domain} leads to {', '.join(addresses)}, and the addresses of this machine are "
            f"{here}. If {addresses[0]} is your router, let it forward the ports "
            f"{self.port} and {_HTTP_PORT} to this machine; otherwise, change the name’s address."
        )


def prepare_front(domain: str, port: int, folder: Path) -> Front:
    """Return the front of a site, after checking that Caddy could serve it.

    Raises `ValueError` for a domain that cannot be one, or `ProxyError`.
    """
    front = Front(parse_domain(domain), port, folder)
    caddy = _find_caddy()
    ports = [port] if port != HTTPS_PORT else [port, _HTTP_PORT]
    for number in ports:
        _require_port(number, caddy)
    # A machine may not resolve its own name, and browsers do not ask for those of `localhost`.
    is_here = front.domain == find_name() or front.domain.endswith(".localhost")
    if not is_here and not _resolve(front.domain):
        fix = (
            "use the name of this machine or its address"
            if front.has_own_authority
            else "let its A or AAAA record at your provider have the address of this machine or "
            "of your router, and wait until it is known"
        )
        raise ProxyError(f"{front.domain} leads nowhere: {fix}")
    return front


def build_command(front: Front, upstream: str) -> list[str]:
    """Write the configuration, and return the command that runs Caddy with it.

    Everything that Caddy stores is in the folder of the front, also what it puts into the home
    directory otherwise.
    """
    front.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    config = front.folder / "Caddyfile"
    config.write_text(front.build_config(upstream), encoding="utf-8")
    homes = [f"{name}={front.folder}" for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME")]
    program = [_find_caddy(), "run", "--adapter", "caddyfile", "--config", str(config)]
    return [shutil.which("env") or "env", *homes, *program]


def start_watch(front: Front) -> None:
    """Let a process of its own say when a public name has its certificate, or why it has none."""
    if not front.has_own_authority:
        code = "import sys; from diplomaccloud.project import caddy; caddy.watch(sys.argv[1])"
        command = [sys.executable, "-P", "-c", code, front.domain]
        # The shell ends at once, so the process is not a child of the supervisor.
        shell = ["/bin/sh", "-c", '"$@" &', "sh", *command]
        subprocess.run(shell, check=False, stdin=subprocess.DEVNULL)


def watch(domain: str, port: int = HTTPS_PORT, seconds: float = 90.0) -> None:
    """Write that Caddy has a certificate for the domain, or after some time what may prevent it.

    Returns early if Caddy ends.
    """
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    end, was_up = time.monotonic() + seconds, False
    while time.monotonic() < end:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
                was_up = True
                with context.wrap_socket(plain, server_hostname=domain):
                    sys.stdout.write(f"{domain} has a certificate: it can be opened now.\n")
                    return
        except ssl.SSLError:
            pass
        except OSError:
            if was_up:
                return
        time.sleep(min(1.0, seconds / 10))
    sys.stdout.write(
        f"{domain} still has no certificate. Open the ports {_HTTP_PORT} and {port} in the "
        "firewall, let the router forward them to this machine, and compare the name’s address.\n"
    )


def parse_domain(text: str) -> str:
    """Return the name or IP address in lower case; raise `ValueError` if it is neither."""
    domain = text.strip().rstrip(".").lower()
    if domain.startswith("[") and domain.endswith("]"):
        domain = domain[1:-1]
    if is_address(domain):
        return domain
    with suppress(UnicodeError):
        name = domain.encode("idna").decode("ascii")
        if _NAME.fullmatch(name) and not name.rpartition(".")[2].isdecimal():
            return name
    raise ValueError(
        f"--domain must be a name like games.example.org, without https:// and port, not {text!r}"
    )


def is_address(domain: str) -> bool:
    """Return whether the domain is an IP address."""
    with suppress(ValueError):
        return bool(ip_address(domain))
    return False


def is_loopback(domain: str) -> bool:
    """Return whether the domain is an IP address by which a machine reaches only itself."""
    return is_address(domain) and ip_address(domain).is_loopback


def find_free_port(first: int = 8000) -> int:
    """Return a port of this machine for the web server: `first` if it is free."""
    for port in (first, 0):
        with suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            found: int = probe.getsockname()[1]
            return found
    raise ProxyError("no port of 127.0.0.1 is free: end other programs")


def _find_caddy() -> str:
    found = shutil.which("caddy")
    if found is None:
        raise ProxyError(
            "--domain needs Caddy (on Debian: sudo apt install caddy, then "
            "sudo systemctl disable --now caddy; on macOS: brew install caddy)"
        )
    return found


def _require_port(port: int, caddy: str) -> None:
    """Raise `ProxyError` if Caddy could not listen on the port of all addresses."""
    with _open_socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except PermissionError:
            if _may_use_low_ports(caddy):
                return
            raise ProxyError(
                f"you may not use port {port}: run sudo setcap cap_net_bind_service=+ep {caddy}, "
                "or try --port 8443 first, with a certificate that browsers do not know"
            ) from None
        except OSError as error:
            raise ProxyError(
                f"Caddy cannot listen on port {port}: {(error.strerror or str(error)).lower()} "
                "(end the other program; Caddy's own service ends with "
                "sudo systemctl disable --now caddy)"
            ) from None


def _open_socket() -> socket.socket:
    """Return a socket of IPv6, or of IPv4 if the system has been started without IPv6."""
    with suppress(OSError):
        return socket.socket(socket.AF_INET6)
    return socket.socket(socket.AF_INET)


def _may_use_low_ports(program: str) -> bool:
    """Return whether the file has capabilities, as `setcap` writes them."""
    with suppress(OSError, AttributeError):
        return bool(os.getxattr(os.path.realpath(program), "security.capability"))
    return False


def _resolve(domain: str) -> list[str]:
    """Return the IP addresses of the domain; none if it is not known."""
    with suppress(OSError, UnicodeError):
        found = socket.getaddrinfo(domain, None, type=socket.SOCK_STREAM)
        return list(dict.fromkeys(str(address[4][0]) for address in found))
    return []


def _quote(path: Path) -> str:
    """Return the path as one word of a Caddyfile."""
    text = str(path)
    if "`" in text or "{" in text or "\n" in text:
        raise ProxyError(f"Caddy cannot use the directory {text!r} (choose another with --data)")
    return f"`{text}`"
