# SPDX-License-Identifier: Apache-2.0
"""Finds the holder of a module: a variable, an attribute of an object, an item of a container, another module.

Searches the variables of running functions and the objects that they reference. Runs no code of the program."""

import collections
import itertools
import os
import sys
import threading
import types
import typing

import torch

_MAX_STEPS = 3  # steps of the search through objects and containers
_MAX_ITEMS = 1000  # items that are looked at in one container, which may be a data set
_MAX_OBJECTS = 5_000  # objects that are visited from the variables of one function
_OPTIMIZED = 0x1  # CO_OPTIMIZED: the flag of code objects with fast locals
_WITHOUT_MODELS = {"torch", *sys.stdlib_module_names}
_NAMESPACES = {"types.SimpleNamespace", "argparse.Namespace"}
_STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep
_TORCH = os.path.dirname(torch.__file__) + os.sep
_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Place(typing.NamedTuple):
    """A path from a variable to a module. The *root* is the outermost module on the path."""

    modules: list  # (name, object) from the root to the module, with the containers between them
    item: str  # the root's name in a container of several modules; "" outside of such a container
    names: list  # short and full name (_names_of) of the container if `item` is set, else of the root; may be empty
    items: list  # (name, module) of each module in the module's own container; empty outside of a container


class _Scope(typing.NamedTuple):
    variables: dict
    owner: object  # the object whose method runs: the first argument, since methods look like functions


def is_machinery(frame):
    """Returns whether a frame runs code of torch, of the standard library or of ampprof."""
    return _is_machinery(frame.f_code.co_filename)


def place_of(module, frame):
    """Finds the holder of `module` in the variables of `frame`, of its callers and of the main thread. Searches callers
    first, since they made the values that they pass on. Returns None if no variable leads to the module."""
    scopes = list(_scopes(frame))
    search = _Search(module, {id(scope.owner) for scope in scopes})
    for scope in scopes:
        place = search.from_variables(scope.variables)
        if place is not None:
            return place
    return None


def _is_machinery(file):
    return file.startswith(("<frozen ", _TORCH, _OWN)) or (file.startswith(_STANDARD_LIBRARY) and not _is_package(file))


def _is_package(file):
    return "-packages" + os.sep in file


def _stack(frame):
    """Returns the frames from the outermost one to `frame`."""
    frames = []
    while frame is not None:
        frames.append(frame)
        frame = frame.f_back
    return frames[::-1]


def _scopes(frame):
    """Yields the variables of the user's code, then those of code in packages."""
    frames = _stack(frame)
    main = threading.main_thread().ident
    if main != threading.get_ident():
        frames = _stack(sys._current_frames().get(main)) + frames
    frames = [frame for frame in frames if not is_machinery(frame)]
    seen = set()  # ids of the globals that were yielded
    for frame in sorted(frames, key=lambda frame: _is_package(frame.f_code.co_filename)):
        code = frame.f_code
        if code.co_flags & _OPTIMIZED:
            variables = _variables_of(frame)
            yield _Scope(variables, variables.get(code.co_varnames[0]) if code.co_argcount else None)
        if id(frame.f_globals) not in seen:
            seen.add(id(frame.f_globals))
            yield _Scope(frame.f_globals, None)


def _variables_of(frame):
    # Before Python 3.13, f_locals of a function is one dict that belongs to the frame. Reading it updates the dict that
    # locals() returned before, and keeps values alive, so the dict is cleared unless other code refers to it.
    if "locals" in frame.f_code.co_names:
        return {}
    variables = frame.f_locals
    copy = dict(variables)
    if isinstance(variables, dict) and sys.getrefcount(variables) <= 3 and sys.gettrace() is None:
        variables.clear()
    return copy


def _is_module(value):
    return issubclass(type(value), torch.nn.Module)


def _is_container(value):
    return issubclass(type(value), (dict, list, tuple))


def _is_object(value):
    """Returns whether the search may enter the object's attributes. Objects of the standard library and of torch hold
    no models."""
    kind = type(value)
    if kind is types.ModuleType:
        file = vars(value).get("__file__") or ""
        return file.endswith(".py") and not (_is_machinery(file) or _is_package(file))
    if issubclass(kind, (type, types.ModuleType)):
        return False
    package = str(kind.__module__).partition(".")[0]
    return package not in _WITHOUT_MODELS or f"{kind.__module__}.{kind.__qualname__}" in _NAMESPACES


def _is_owner(holder):
    """Returns whether the holder's names are names that the user chose for one object: variables (`holder` is None) and
    attributes of plain objects, but not keys of containers or of modules."""
    return holder is None or not (_is_container(holder) or _is_module(holder))


def _attributes_of(value):
    try:
        attributes = object.__getattribute__(value, "__dict__")
    except AttributeError:
        attributes = {}
    if type(attributes) is dict:
        yield from list(attributes.items())
    for kind in type(value).__mro__:
        if "__slots__" not in vars(kind):
            continue
        for name, slot in list(vars(kind).items()):
            if type(slot) is types.MemberDescriptorType:
                try:
                    yield name, slot.__get__(value)
                except AttributeError:
                    pass


def _parts_of(holder):
    """Yields (name, part) for each object that `holder` holds."""
    kind = type(holder)
    if issubclass(kind, dict):
        for key, part in list(itertools.islice(dict.items(holder), _MAX_ITEMS)):
            if type(key) in (str, int):
                yield str(key), part
    elif issubclass(kind, (list, tuple)):
        base = list if issubclass(kind, list) else tuple
        parts = list(itertools.islice(base.__iter__(holder), _MAX_ITEMS))
        names = getattr(kind, "_fields", None) if base is tuple else None
        yield from zip(names if type(names) is tuple else map(str, range(len(parts))), parts)
    elif _is_module(holder):
        children = vars(holder).get("_modules")
        if issubclass(type(children), dict):  # in TorchScript it is not a dict
            yield from list(dict.items(children))
        yield from ((name, part) for name, part in _attributes_of(holder) if not name.startswith("_"))
    else:
        yield from _attributes_of(holder)


def _modules_of(holder):
    return {id(part) for _, part in _parts_of(holder) if _is_module(part)}


class _Search:
    """Searches the objects that variables lead to, breadth first."""

    def __init__(self, wanted, running):
        """`wanted`: the module. `running`: ids of the objects whose methods run."""
        self._wanted = wanted
        self._running = running

    def from_variables(self, variables):
        self._came_from = {}  # id -> (holder or None, name, object)
        self._named = set()  # ids of modules that are variables, or attributes of plain objects
        self._ways = []  # (holder or None, name) under which the wanted module was found
        waiting = collections.deque()
        for name, value in list(variables.items()):
            # A notebook keeps the history of its cells in Out and in names that begin with _.
            if not name.startswith("_") and not (name == "Out" and "_oh" in variables):
                self._visit(None, name, value, 0, waiting)
        while waiting:
            holder, steps = waiting.popleft()
            is_far = not _is_module(holder)
            for name, part in _parts_of(holder):
                self._visit(holder, name, part, steps + is_far, waiting)
        return self._best() if self._ways else None

    def _visit(self, holder, name, value, steps, waiting):
        is_one = _is_module(value)
        if is_one and _is_owner(holder):
            self._named.add(id(value))
        if value is self._wanted:
            self._ways.append((holder, name))
        elif id(value) not in self._came_from and (is_one or _is_container(value) or _is_object(value)):
            self._came_from[id(value)] = (holder, name, value)
            if is_one or (steps < _MAX_STEPS and len(self._came_from) < _MAX_OBJECTS):
                waiting.append((value, steps))

    def _best(self):
        own = [way for way in self._ways if _is_owner(way[0])]
        held = [way for way in self._ways if not _is_owner(way[0])]
        better = [way for way in held if self._names_better(way[0])]
        return self._place(*(better + own + held)[0])

    def _names_better(self, holder):
        """Returns whether the holder's name for the module is better than a variable's name. It is better in methods of
        the holder, and in a loop over a container that has other items without a variable."""
        nn = torch.nn
        is_loop = _is_container(holder) or issubclass(type(holder), (nn.ModuleDict, nn.ModuleList, nn.Sequential))
        return id(holder) in self._running or (is_loop and not _modules_of(holder) <= self._named)

    def _place(self, holder, name):
        chain = [(name, self._wanted)]
        items = [part for part in _parts_of(holder) if _is_module(part[1])] if _is_container(holder) else []
        while holder is not None:
            above, name, value = self._came_from[id(holder)]
            chain.append((name, value))
            holder = above
        chain.reverse()
        root = next(i for i, (_, value) in enumerate(chain) if _is_module(value))
        is_item = root > 0 and _is_container(chain[root - 1][1]) and len(_modules_of(chain[root - 1][1])) > 1
        item = chain[root][0] if is_item else ""
        return Place(chain[root:], item, _names_of(chain[: root if is_item else root + 1]), items)


def _names_of(chain):
    """Returns the short and the full name of the last object in `chain`, which has (name, object) pairs. The short name
    begins below the innermost object that holds several modules, because code of that object does not name it."""
    full = [name for name, _ in chain]
    owners = [i for i, (_, value) in enumerate(chain[:-1]) if not _is_container(value) and len(_modules_of(value)) > 1]
    short = full[owners[-1] + 1 :] if owners else full
    return [".".join(names) for names in (short, full) if names != ["self"]]
