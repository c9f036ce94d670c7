"""Templates of pages without the indentation of their source, which was a sixth of a game page."""

import re
from typing import Final

from django.template import Origin
from django.template.loaders import app_directories

_ATTRIBUTE: Final = re.compile(r"\s*\n\s*(?=[a-z:-]+=\")")
_LINE_BREAK: Final = re.compile(r"\s*\n\s*")


class CompactLoader(app_directories.Loader):
    """Loads the templates of all apps; those of HTML pages without indentation and blank lines."""

    def get_contents(self, origin: Origin) -> str:
        """Return the text of a template; a line break separates words as indentation did."""
        text = super().get_contents(origin)
        if not origin.name.endswith(".html"):
            return text
        return _LINE_BREAK.sub("\n", _ATTRIBUTE.sub(" ", text))
