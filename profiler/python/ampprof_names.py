# SPDX-License-Identifier: Apache-2.0
"""Names modules and parameters as the program's own code refers to them."""

import itertools
import sys
import threading
import weakref

import torch


class ModuleNames:
    """Maps modules to interned paths. The root of a path is the outermost module that holds the called module, or the
    called module itself. If that module is one of several in a container, the container is the root instead. Paths
    below the first root are relative to it. Other paths begin with the name of their root's variable, or of its class
    if no variable leads to the root. Thread-safe. Takes time only for new modules."""

    def __init__(self, observer, holders, name_given=None):
        """`observer`: the stub's functions. `holders`: the module ampprof_holders. Calls name_given(path, module), if
        given, when a module gets its path."""
        self._name_given = name_given
        self._observer = observer
        self._holders = holders
        self._lock = threading.RLock()
        self.forget()

    def forget(self):
        self._known = {}  # id -> (weak reference, interned path, path). By id, since modules may define ==
        self._modules = {}  # path -> weak reference
        self._called_at = {}  # call's position in the code and module's class -> (weak reference, path)
        self._first = None  # name of the first root

    def enter(self, module):
        """Called when a module's call begins, by the function that replaces `Module.__call__`."""
        known = self._find(module)
        if known is None:
            # A TorchFunctionMode of the program must not see ampprof read parameters.
            with self._lock, torch._C.DisableTorchFunction():
                known = self._find(module) or self._add(module)
        self._observer.enter(known[1])

    def enter_if_known(self, module):
        """Called before a module's tensors are converted or moved. Does not name a module, since its variable may not
        exist yet. Returns whether the module has a name, so that leave() must be called."""
        known = self._find(module)
        if known is not None:
            self._observer.enter_conversion(known[1])
        return known is not None

    def leave(self):
        self._observer.leave()

    def _find(self, module):
        known = self._known.get(id(module))
        return known if known is not None and known[0]() is module else None

    def _add(self, module):
        frame = self._caller()
        site = (frame.f_code.co_filename, frame.f_code.co_firstlineno, frame.f_lasti, type(module))
        before, path = self._called_at.get(site, (None, None))
        if before is not None and before() is None and self._is_free(path):
            self._name_tree(module, path)  # the program makes the module anew for each call or step
        else:
            self._place(module, frame)
        known = self._find(module)
        self._called_at[site] = (known[0], known[2])
        return known

    def _caller(self):
        """Returns the innermost frame of the program's own code, or the outermost frame if the thread runs none."""
        frame = sys._getframe(1)
        while frame.f_back is not None and self._holders.is_machinery(frame):
            frame = frame.f_back
        return frame

    def _place(self, module, frame):
        try:
            place = self._holders.place_of(module, frame)
        except Exception:  # noqa: BLE001  the program's objects may do anything
            place = None
        if place is None:
            self._name_root(module, [type(module).__name__], "")
            return
        chain = place.modules
        if all(self._find(holder) is None for _, holder in chain):
            self._name_root(chain[0][1], place.names or [type(chain[0][1]).__name__], place.item)
        if self._find(module) is None:
            # The holder has a name, but the module is not registered in it, or was added to it later.
            last = max(i for i, (_, holder) in enumerate(chain) if self._find(holder) is not None)
            steps = [name for name, _ in chain[last + 1 :]]
            self._name_tree(module, self._free([_joined(self._find(chain[last][1])[2], *steps)]))
        self._name_items(self._find(module)[2], chain[-1][0], place.items)

    def _name_items(self, path, name, items):
        """Names the other items of a container that holds the module at `path`, to save a search for each item."""
        if path == name or path.endswith("." + name):
            for other, module in items:
                if self._find(module) is None:
                    self._name_tree(module, self._free([_joined(path[: -len(name)], other)]))

    def _name_root(self, root, names, item):
        if self._first is None:
            self._first = names[-1]
        first = [""] if names[-1] == self._first else []
        self._name_tree(root, self._free([_joined(name, item) for name in first + names]))

    def _free(self, paths):
        """Returns the first path that no living module has, else the last path with a number."""
        numbered = (f"{paths[-1]}{number}" for number in itertools.count(2))
        return next(path for path in itertools.chain(paths, numbered) if self._is_free(path))

    def _is_free(self, path):
        return path not in self._modules or self._modules[path]() is None

    def _name_tree(self, root, prefix):
        for path, module in root.named_modules():
            if self._find(module) is None:
                path = _joined(prefix, path)
                reference = weakref.ref(module)
                self._known[id(module)] = (reference, self._observer.intern(path.encode()), path)
                self._modules[path] = reference
                if self._name_given is not None:
                    self._name_given(path, module)
        for path, parameter in root.named_parameters():
            self._observer.name_parameter(parameter._cdata, _joined(prefix, path).encode())


def _joined(*parts):
    """Returns the parts joined by dots, without the `_orig_mod` of torch.compile()'s wrapper."""
    return ".".join(part for part in ".".join(parts).split(".") if part not in ("", "_orig_mod"))
