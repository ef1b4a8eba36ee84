# SPDX-License-Identifier: Apache-2.0
"""Tells the observer about Python's modules, parameters and optimizers. Changes nothing that the program computes."""

import ctypes
import importlib.util
import sys
import threading
import weakref


class _Observer:
    """The C functions of the preload stub. PyDLL: they are short, so the interpreter lock stays where it is."""

    def __init__(self):
        stub = ctypes.PyDLL(None)
        self.torch_loaded = stub.ampprof_torch_loaded
        self.intern = stub.ampprof_intern
        self.intern.argtypes, self.intern.restype = [ctypes.c_char_p], ctypes.c_int64
        self.enter = stub.ampprof_scope_entered
        self.enter.argtypes, self.enter.restype = [ctypes.c_int64], None
        self.leave = stub.ampprof_scope_left
        self.leave.restype = None
        self.name_parameter = stub.ampprof_parameter_named
        self.name_parameter.argtypes, self.name_parameter.restype = [ctypes.c_void_p, ctypes.c_char_p], None
        self.optimizer_begun = stub.ampprof_optimizer_begun
        self.optimizer_begun.argtypes, self.optimizer_begun.restype = [ctypes.c_void_p], None
        self.optimizer_ended = stub.ampprof_optimizer_ended
        self.optimizer_ended.argtypes, self.optimizer_ended.restype = [ctypes.c_void_p], None


class _ModuleNames:
    """Module -> interned path. A root is a module called from outside any other; several roots get their class's name
    as a prefix, as in C++."""

    def __init__(self, observer):
        self._observer = observer
        self._names = weakref.WeakKeyDictionary()
        self._roots = weakref.WeakKeyDictionary()
        self._depth = threading.local()

    def enter(self, module):
        depth = getattr(self._depth, "value", 0)
        self._depth.value = depth + 1
        if depth == 0 and module not in self._roots and module not in self._names:
            self._add_root(module)
        name = self._names.get(module)
        if name is None:
            name = self._names[module] = self._intern(type(module).__name__)
        self._observer.enter(name)

    def leave(self):
        self._depth.value = getattr(self._depth, "value", 1) - 1
        self._observer.leave()

    def _intern(self, path):
        return self._observer.intern(path.encode())

    def _add_root(self, root):
        prefix = type(root).__name__ if len(self._roots) > 0 else ""
        self._roots[root] = True
        for path, module in root.named_modules():
            if module not in self._names:
                self._names[module] = self._intern(".".join(part for part in (prefix, path) if part))
        for path, parameter in root.named_parameters():
            name = ".".join(part for part in (prefix, path) if part)
            self._observer.name_parameter(parameter._cdata, name.encode())


class _AfterImport:
    """A finder that leaves finding to the others and calls back once a module has been executed."""

    def __init__(self, name, call):
        self._name = name
        self._call = call

    def find_spec(self, name, path, target=None):
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            self._call(module)

        spec.loader.exec_module = exec_module
        return spec


def wait_for_torch():
    """Both modules are imported by `import torch`, after LibTorch is loaded and before the program's own code runs."""
    sys.meta_path.insert(0, _AfterImport("torch.nn.modules.module", _watch_modules))
    sys.meta_path.insert(0, _AfterImport("torch.optim.optimizer", _watch_optimizers))


def _recording_observer():
    """None where this process is not recorded: the stub is not preloaded, or another process has the claim."""
    try:
        observer = _Observer()
    except AttributeError:
        return None
    return observer if observer.torch_loaded() else None


def _watch_modules(source):
    observer = _recording_observer()
    if observer is None:
        return
    names = _ModuleNames(observer)
    source.register_module_forward_pre_hook(lambda module, _: names.enter(module))
    source.register_module_forward_hook(lambda module, _, __: names.leave(), always_call=True)


def _watch_optimizers(source):
    observer = _recording_observer()
    if observer is None:
        return
    source.register_optimizer_step_pre_hook(lambda optimizer, *_: observer.optimizer_begun(id(optimizer)))
    source.register_optimizer_step_post_hook(lambda optimizer, *_: observer.optimizer_ended(id(optimizer)))
