"""Query parameters: unknown ones are refused, to catch misspellings."""

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Annotated, ParamSpec, TypeVar, cast, get_args, get_origin

from django.http import HttpRequest
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from diplomaccloud.api.problems import Problem

_P = ParamSpec("_P")
_R = TypeVar("_R")


def with_known_parameters(function: Callable[_P, _R], path: str) -> Callable[_P, _R]:
    """Return the operation at this path, made to refuse unknown query parameters."""
    known = _list_parameters(function, path)

    @wraps(function)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        unknown = sorted(set(cast("HttpRequest", args[0]).GET) - known)
        if unknown:
            names = ", ".join(name[:60] for name in unknown[:5])
            faults = [{"field": name[:60], "message": "Unknown parameter."} for name in unknown]
            raise Problem(
                422, "invalid", f"Check these fields: {names}.", more={"errors": faults[:20]}
            )
        return function(*args, **kwargs)

    # The framework reads the signature.
    vars(run)["__signature__"] = _with_optional_body(inspect.signature(function))
    return run


def _with_optional_body(signature: inspect.Signature) -> inspect.Signature:
    """Return the signature without the need for a body if none of its fields is required."""
    return signature.replace(
        parameters=[
            one.replace(default=one.annotation())
            if _is_body(one) and not any(map(_is_required, one.annotation.model_fields.values()))
            else one
            for one in signature.parameters.values()
        ]
    )


def _is_required(field: FieldInfo) -> bool:
    return field.is_required()


def _list_parameters(function: Callable[..., object], path: str) -> frozenset[str]:
    """Return the names of the query parameters."""
    in_path = set(re.findall(r"{(\w+)}", path))
    _, *others = inspect.signature(function).parameters.values()
    return frozenset(
        _find_name(one) for one in others if one.name not in in_path and not _is_body(one)
    )


def _is_body(parameter: inspect.Parameter) -> bool:
    kind = parameter.annotation
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return inspect.isclass(kind) and issubclass(kind, BaseModel)


def _find_name(parameter: inspect.Parameter) -> str:
    """Return the parameter's public name."""
    for mark in getattr(parameter.annotation, "__metadata__", ()):
        if alias := getattr(mark, "alias", None):
            return str(alias)
    return parameter.name
