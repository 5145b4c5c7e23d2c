"""Checks the arguments of functions against their annotations: a wrong type is an error of the caller, and named as one."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Callable, NamedTuple, Optional, TypeVar, Union

_Target = TypeVar("_Target")


def checked(target: _Target) -> _Target:
    """A function that raises `TypeError` for an argument of another type than its annotation, or a class of such methods.

    The fields of a dataclass are checked when it is made.
    """
    any_target: Any = target
    if not inspect.isclass(any_target):
        return typing.cast(_Target, _checking(any_target, any_target, any_target.__qualname__))
    if dataclasses.is_dataclass(any_target):
        making: Any = any_target.__init__
        setattr(any_target, "__init__", _checking(making, any_target, any_target.__qualname__))
    for name, member in list(vars(any_target).items()):
        if isinstance(member, (classmethod, staticmethod)) and not name.startswith("_"):
            setattr(any_target, name, type(member)(checked(member.__func__)))
        elif inspect.isfunction(member) and not name.startswith("_"):
            setattr(any_target, name, checked(member))
    return target


def _checking(function: Callable[..., Any], annotated: Any, called: str) -> Callable[..., Any]:
    """The function with a check of its arguments against the annotations of `annotated`. `called` is its name in errors."""
    signature = inspect.signature(function)

    @functools.lru_cache(maxsize=None)
    def hints() -> Mapping[str, Any]:
        return typing.get_type_hints(annotated)

    def check(arguments: tuple[Any, ...], options: Mapping[str, Any]) -> None:
        for name, value in _given(signature, called, arguments, options):
            wrong = first_wrong(value, hints()[name], name) if name in hints() else None
            if wrong is not None:
                raise TypeError(f"{called}() takes {spelled(wrong.hint)} as {wrong.place}, not {type(wrong.value).__name__}")

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
    signature: inspect.Signature, called: str, arguments: tuple[Any, ...], options: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """The arguments of a call, with the names of their parameters."""
    try:
        given = signature.bind(*arguments, **options).arguments
    except TypeError as error:
        raise TypeError(f"{called}() {error}") from None
    for name, value in given.items():
        is_many = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        yield from ((name, each) for each in (value if is_many else (value,)))


class Wrong(NamedTuple):
    """A value of a wrong type: its place in the arguments, such as `values["age"]`, and the type that belongs there."""

    place: str
    hint: Any
    value: object


def first_wrong(value: object, hint: Any, place: str) -> Optional[Wrong]:
    """The first item of a wrong type in a value, or the value itself; None if the value fits the annotation."""
    if fits(value, hint):
        return None
    container = next((each for each in _alternatives(hint) if _is_like(value, typing.get_origin(each))), None)
    for name, item, wanted in _items(value, container, place):
        wrong = first_wrong(item, wanted, name)
        if wrong is not None:
            return wrong
    return Wrong(place, hint, value)


def _items(value: Any, container: Any, place: str) -> Iterator[tuple[str, object, Any]]:
    """The items of a container with their places and their types; none without a container."""
    inner = typing.get_args(container)
    if not inner:
        return
    if isinstance(value, Mapping):
        yield from ((f"a key of {place}", name, inner[0]) for name in value)
        yield from ((f'{place}["{name}"]', each, inner[-1]) for name, each in value.items())
    elif isinstance(value, Collection):
        yield from ((f"{place}[{index}]", each, inner[0]) for index, each in enumerate(value))


def _alternatives(hint: Any) -> tuple[Any, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) is Union else (hint,)


def _is_like(value: object, origin: Any) -> bool:
    """Whether a value is a container of this kind. A text is no collection of texts."""
    return origin is not None and isinstance(value, origin) and not isinstance(value, (str, bytes))


def fits(value: object, hint: Any) -> bool:
    """Whether a value has the type of an annotation. A text is no collection of texts, and an integer is a `float`."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any or isinstance(hint, TypeVar):
        return True
    if origin is Union:
        return any(fits(value, each) for each in inner)
    if origin is None:
        return isinstance(value, (int, float) if hint is float else hint)
    if not _is_like(value, origin):
        return False
    if isinstance(value, Mapping):
        return all(fits(name, inner[0]) and fits(each, inner[-1]) for name, each in value.items())
    return not isinstance(value, Collection) or all(fits(each, inner[0]) for each in value)


def spelled(hint: Any) -> str:
    """The name of a type for readers of an error: `str or Mapping`, and not the name of an alias."""
    if typing.get_origin(hint) is Union:
        *first, last = map(spelled, typing.get_args(hint))
        return f"{', '.join(first)} or {last}"
    if hint is type(None):
        return "None"
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    name = str(getattr(origin or hint, "__name__", hint))
    if not inner or inner[-1] is Any or not issubclass(origin, Iterable):
        return name
    return f"{name}[{', '.join(map(spelled, inner))}]"
