"""The JSON Schemas of the published formats. `docs/formats.md` lists their versions."""

from importlib.resources import files

_SUFFIX = ".schema.json"


def list_schemas() -> list[str]:
    """Return the names of the schemas, sorted."""
    names = (entry.name for entry in files(__name__).iterdir())
    return sorted(name.removesuffix(_SUFFIX) for name in names if name.endswith(_SUFFIX))


def read_schema(name: str) -> str:
    """Return the schema `name` as JSON; raise `ValueError` if there is no such schema."""
    if name not in list_schemas():
        listed = ", ".join(list_schemas())
        raise ValueError(f"there is no schema named {name[:40]!r} (available: {listed})")
    return (files(__name__) / f"{name}{_SUFFIX}").read_text(encoding="utf-8")
