"""The version of the judge, and how it and what is installed beside it are installed."""

__version__ = "0.3.0.dev0"

_FOLDERS = {
    "client": ("remote",),
    "daide": ("daide",),
    "discord": ("remote",),
    "gym": ("environments",),
    "ladder": ("ladder",),
    "mcp": ("mcp", "remote"),
    "site": ("daide", "ladder", "slack"),
    "slack": ("slack",),
}
"""Which packages in `extras` an extra of the site needs."""


def tell_install(extra: str | None = None) -> str:
    """Return the command that installs the judge, and with an extra, also what it brings.

    `png` is the judge's own extra. An empty extra is the site's packages without any that they
    need. Nothing is on PyPI yet, so the commands are for a checkout.
    """
    if extra == "png":
        return "pip install './judge[png]'"
    site = {None: "", "": " ."}.get(extra, f" '.[{extra}]'")
    folders = {folder for name in (extra or "").split(",") for folder in _FOLDERS.get(name, ())}
    return " ".join([f"pip install ./judge{site}", *(f"./extras/{one}" for one in sorted(folders))])
