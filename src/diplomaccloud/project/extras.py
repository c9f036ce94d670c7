"""What installed packages of `extras` add to the site, which imports none of them.

Each names its app's configuration as an entry point of the group `diplomaccloud.site`.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import Any, ClassVar, cast

from django.apps import AppConfig
from django.core.exceptions import ImproperlyConfigured

from diplomaccloud.project.environment import Setting


class Extra(AppConfig):
    """The configuration of an app that a site may lack."""

    default_auto_field = "django.db.models.BigAutoField"
    address: ClassVar[str] = ""
    """Where the pages in the app's `urls` start, such as "ladder/"; none if it is blank."""
    account_parts: ClassVar[tuple[str, ...]] = ()
    """What the app erases and exports of a person: more of `settings.ACCOUNT_PARTS`."""
    free_models: ClassVar[tuple[str, ...]] = ()
    """The models whose rows the site may insert, change and delete: see `grants`."""

    settings: ClassVar[tuple[Setting[Any], ...]] = ()
    """The settings that the app adds, which Django's settings have under the same names."""


@cache
def list_extras() -> tuple[type[Extra], ...]:
    """Return the configurations of all installed extras, by name.

    Raises `ImproperlyConfigured` if a package is damaged or does not fit the site.
    """
    points = sorted(entry_points(group="diplomaccloud.site"), key=lambda point: point.name)
    extras = []
    for point in points:
        try:
            extras.append(cast("type[Extra]", point.load()))
        except (ImportError, AttributeError) as error:
            raise ImproperlyConfigured(
                f"the extra {point.name!r} cannot be loaded: install its package and the site's "
                f"again, or uninstall it ({error})"
            ) from error
    return tuple(extras)


def name_config(extra: type[Extra]) -> str:
    """Return what `INSTALLED_APPS` calls an extra."""
    return f"{extra.__module__}.{extra.__qualname__}"
