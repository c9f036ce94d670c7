"""The rules of Diplomacy: frozen values, no clock, standard library only.

Start with `Game`: give it orders as text, adjudicate, and look at the results. Programs that
search use the lower-level functions: `parse_order`, `legal_orders`, `adjudicate`, and `batch` for
thousands of positions in one call. `docs/library.md` has examples of everything.

The names in `public` and in `batch.__all__` are stable, and so are the order classes in `orders`.
All other modules in this package are private: they serve the site, the bots and the tests, and may
change with any version. A name is imported when it is first used.

`legality` says what orders mean and why some are refused, `kernel` decides every phase under any
rule set, `reasons` and `messages` explain results, `notation` reads text, `codec` reads and writes
JSON, `drawing` draws maps, `protocol` serves other programs, `exchange` reads and writes files of
games, and `standard` has the board of Europe.
"""

TYPE_CHECKING = False  # Importing `typing` takes longer than importing everything here.

if TYPE_CHECKING:
    from diplomaccloud.judge.public import *  # noqa: F403 the one list of them
else:  # Otherwise, type checkers would accept misspelled names.

    def _list_public() -> dict[str, str]:
        """Return the module of each public name, which the lines of `public.py` say."""
        path = f"{__spec__.submodule_search_locations[0]}/public.py"
        text = __spec__.loader.get_data(path).decode()
        lines = [line.split() for line in text.splitlines() if line.startswith("from ")]
        return {name: module for _, module, _, name, *_ in lines}

    def __getattr__(name: str) -> object:
        """Return a public name, or `__all__`; the first use imports the module of the name."""
        from importlib import import_module  # noqa: PLC0415

        public = _list_public()
        if name == "__all__":
            return sorted(public)
        if name not in public:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if public[name] == __name__:
            return import_module(f"{__name__}.{name}")
        globals()[name] = value = getattr(import_module(public[name]), name)
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *_list_public()})
