"""Checks the arguments of functions against their annotations: a wrong type is an error of the caller, and named as one."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Callable, TypeVar, Union

_Target = TypeVar("_Target")


def checked(target: _Target) -> _Target:
    """A function that raises `TypeError` for an argument of another type than its annotation, or a class of such methods."""
    any_target: Any = target
    if not inspect.isclass(any_target):
        return typing.cast(_Target, _checking(any_target))
    for name, member in list(vars(any_target).items()):
        if isinstance(member, (classmethod, staticmethod)) and not name.startswith("_"):
            setattr(any_target, name, type(member)(_checking(member.__func__)))
        elif inspect.isfunction(member) and not name.startswith("_"):
            setattr(any_target, name, _checking(member))
    return target


def _checking(function: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(function)

    @functools.lru_cache(maxsize=None)
    def hints() -> Mapping[str, Any]:
        return typing.get_type_hints(function)

    def check(arguments: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        for name, value in _given(signature, arguments, options):
            if name in hints() and not fits(value, hints()[name]):
                wanted, found = function.__annotations__[name], type(value).__name__
                raise TypeError(f"{function.__qualname__}() takes {wanted} as {name}, not {found}")

    @functools.wraps(function)
    async def waiting(*arguments: Any, **options: Any) -> Any:
        check(arguments, options)
        return await function(*arguments, **options)

    @functools.wraps(function)
    def at_once(*arguments: Any, **options: Any) -> Any:
        check(arguments, options)
        return function(*arguments, **options)

    return waiting if inspect.iscoroutinefunction(function) else at_once


def _given(
    signature: inspect.Signature, arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """The arguments of a call, with the names of their parameters."""
    for name, value in signature.bind(*arguments, **options).arguments.items():
        is_many = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        yield from ((name, each) for each in (value if is_many else (value,)))


def fits(value: object, hint: Any) -> bool:
    """Whether a value has the type of an annotation. A text is no collection of texts, and an integer is a `float`."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if origin is Union:
        return any(fits(value, each) for each in inner)
    if origin is None:
        return isinstance(value, (int, float) if hint is float else hint)
    if not isinstance(value, origin) or isinstance(value, (str, bytes)):
        return False
    if isinstance(value, Mapping):
        return all(fits(name, inner[0]) and fits(each, inner[-1]) for name, each in value.items())
    return not isinstance(value, Collection) or all(fits(each, inner[0]) for each in value)

