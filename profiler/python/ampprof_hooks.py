# SPDX-License-Identifier: Apache-2.0
"""Tells the observer which Python modules, parameters and optimizers are active. Changes nothing that the program
computes."""

import ctypes
import functools
import importlib.util
import os
import sys
import types


class _Observer:
    """The C functions of the preload stub. They are short, so they run with the GIL held (PyDLL)."""

    def __init__(self):
        stub = ctypes.PyDLL(None)
        self.may_record = stub.ampprof_may_record
        self.process_ends = stub.ampprof_process_ends
        self.process_ends.restype = None
        self.intern = stub.ampprof_intern
        self.intern.argtypes, self.intern.restype = [ctypes.c_char_p], ctypes.c_int64
        stub.ampprof_module_hooks.restype = ctypes.py_object
        self.enter, self.leave = stub.ampprof_module_hooks()
        self._enter_scope = stub.ampprof_scope_entered
        self._enter_scope.argtypes, self._enter_scope.restype = [ctypes.c_int64, ctypes.c_int], None
        self.name_parameter = stub.ampprof_parameter_named
        self.name_parameter.argtypes, self.name_parameter.restype = [ctypes.c_void_p, ctypes.c_char_p], None
        self.optimizer_begun = stub.ampprof_optimizer_begun
        self.optimizer_begun.argtypes, self.optimizer_begun.restype = [ctypes.c_void_p, ctypes.c_int], None
        self.optimizer_ended = stub.ampprof_optimizer_ended
        self.optimizer_ended.argtypes, self.optimizer_ended.restype = [ctypes.c_void_p, ctypes.c_int], None
        self.cannot_see = stub.ampprof_cannot_see
        self.cannot_see.argtypes, self.cannot_see.restype = [ctypes.c_char_p] * 3, None


    def enter_conversion(self, path):
        """Enters a scope in which a module's tensors are converted or moved. The scope does not count as a call."""
        self._enter_scope(path, False)


class _AfterImport:
    """An import finder that calls `call` after a module was executed. The other finders find the module itself."""

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


def _when_imported(name, call):
    if name in sys.modules:
        call(sys.modules[name])
    else:
        sys.meta_path.insert(0, _AfterImport(name, call))


def _file_beside(name):
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), name)


def _load(name):
    """Loads a module from a file beside this one, without an entry in the program's `sys.modules`."""
    spec = importlib.util.spec_from_file_location(name, _file_beside(name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class _OwnModule:
    """The last import finder: finds `ampprof` beside this file for programs that import it."""

    def find_spec(self, name, path, target=None):
        if name != "ampprof":
            return None
        folder = _file_beside("ampprof")
        return importlib.util.spec_from_file_location(
            name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )


_is_recording = True
_names = None  # ModuleNames; None until modules are watched
_name_given = None  # called with a module's path and the module; None if no remedy needs it
_has_unwatched_graphs = False


def recording_begins():
    """Called when this process itself begins a recording. Forgets the module names of an earlier recording."""
    global _is_recording
    if _names is not None:
        _names.forget()
    _is_recording = True


def recording_ends():
    """Called before a recording ends in a process that continues."""
    global _is_recording
    _is_recording = False
    if _has_unwatched_graphs:
        _Observer().cannot_see(
            b"compiled regions",
            b"torch.compile() had compiled some regions before the first recording of this process began",
            b"begin recording before compiled functions are first called, or call torch._dynamo.reset() first",
        )


def wait_for_torch():
    """Arranges to watch the torch modules below when they are imported. Called when LibTorch is loaded: `import torch`
    imports them later, but before the program's code runs."""
    sys.meta_path.append(_OwnModule())
    remedies = os.environ.get("AMPPROF_RECORD_REMEDY")
    if remedies:
        global _name_given
        _name_given = _load("ampprof_remedies").apply(remedies, _when_imported)
    _when_imported("torch._ops", _hide_observer_key)
    _when_imported("torch.nn.modules.module", _watch_modules)
    _when_imported("torch.optim.optimizer", _watch_optimizers)
    _when_imported("torch._dynamo.output_graph", _watch_compiled_graphs)


def _recording_observer():
    """Returns an _Observer, or None if this process will not be recorded: the stub is not loaded, or another process
    has the claim."""
    try:
        observer = _Observer()
    except AttributeError:
        return None
    return observer if observer.may_record() else None


def _say_when_workers_end(observer):
    """Ends the recording in workers that multiprocessing forks. Workers end with os._exit(), after multiprocessing's
    finalizers."""
    from multiprocessing import util

    def in_child(observer):
        util.Finalize(None, observer.process_ends, exitpriority=-1000)

    util.register_after_fork(observer, in_child)


def _quietly(call, *arguments):
    """Calls `call` and drops exceptions, so that errors of the hooks do not reach the program. Returns whether the call
    succeeded."""
    try:
        call(*arguments)
    except Exception:  # noqa: BLE001
        return False
    return True


def _watch_modules(source):
    """Brackets calls of modules by replacing `Module.__call__`. Does not use global hooks, because Dynamo would trace
    them into the program's graph. Dynamo treats the replacement as the `__call__` that every module has."""
    import torch  # still being imported

    observer = _recording_observer()
    if observer is None:
        return
    _say_when_workers_end(observer)
    global _names
    names = _names = _load("ampprof_names").ModuleNames(observer, _load("ampprof_holders"), _name_given)
    call, enter, leave = source.Module.__call__, names.enter, observer.leave

    @functools.wraps(call)
    def watched_call(self, *args, **kwargs):
        # Dynamo evaluates is_compiling() as a constant, so it does not trace the rest.
        if torch.compiler.is_compiling() or not _is_recording:
            return call(self, *args, **kwargs)
        try:
            enter(self)
            entered = True
        except Exception:  # noqa: BLE001  an error of the hooks must not reach the program
            entered = False
        try:
            return call(self, *args, **kwargs)
        finally:
            if entered:
                leave()

    source.Module.__call__ = watched_call
    source.Module._wrapped_call_impl = watched_call
    _watch_conversions(source, names)


def _watch_conversions(source, names):
    """Wraps Module._apply(), with which half(), to() and others convert parameters, their gradients and buffers."""
    import torch  # still being imported

    apply = source.Module._apply

    @functools.wraps(apply)
    def watched_apply(self, *args, **kwargs):
        if torch.compiler.is_compiling() or not _is_recording or not names.enter_if_known(self):
            return apply(self, *args, **kwargs)
        try:
            return apply(self, *args, **kwargs)
        finally:
            _quietly(names.leave)

    source.Module._apply = watched_apply


# OptimizerStepKind of profiler/preload/hooks.h.
_UPDATES, _CALLS_CLOSURE, _IS_DIFFERENTIABLE = 0, 1, 2


def _kind_of_step(optimizer, args, kwargs):
    if optimizer.defaults.get("differentiable", False):
        return _IS_DIFFERENTIABLE
    closure = kwargs.get("closure", args[0] if args else None)
    return _CALLS_CLOSURE if callable(closure) else _UPDATES


def _watch_optimizers(source):
    """Wraps Optimizer.profile_hook_step(), which patches the step() of each class. Optimizer's own hooks are not called
    after a step that raises."""
    import torch  # still being imported

    observer = _recording_observer()
    if observer is None:
        return
    make_step = source.Optimizer.profile_hook_step

    def watched(step):
        @functools.wraps(step)
        def watched_step(optimizer, *args, **kwargs):
            if torch.compiler.is_compiling() or not _is_recording:
                return step(optimizer, *args, **kwargs)
            begun = _quietly(lambda: observer.optimizer_begun(id(optimizer), _kind_of_step(optimizer, args, kwargs)))
            failed = True
            try:
                result = step(optimizer, *args, **kwargs)
                failed = False
                return result
            finally:
                if begun:
                    _quietly(observer.optimizer_ended, id(optimizer), failed)

        return watched_step

    source.Optimizer.profile_hook_step = staticmethod(lambda function: watched(make_step(function)))
    for optimizer in _below(source.Optimizer):
        if getattr(optimizer.__dict__.get("step"), "hooked", False):
            _wrap_in_place(optimizer.__dict__["step"], watched)


def _below(kind):
    return {kind}.union(*map(_below, kind.__subclasses__()))


def _wrap_in_place(function, wrap):
    """Wraps a function in place, because other objects already hold it: learning rate schedulers hold their optimizer's
    step()."""
    if function.__code__.co_freevars != ("func",):
        return
    (func,) = function.__closure__
    inside = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, (types.CellType(func.cell_contents),)
    )
    inside.__dict__.update(function.__dict__)

    def pass_on(func):
        return lambda *args, **kwargs: func(*args, **kwargs)

    function.__code__ = pass_on(None).__code__
    func.cell_contents = wrap(inside)


def _watch_compiled_graphs(source):
    """Watches calls of compiled graphs. Each call is recorded as one op call, since the ops inside are not visible."""
    if _recording_observer() is None:
        return
    utilities = sys.modules.get("torch._dynamo.utils")
    if utilities is not None:
        global _has_unwatched_graphs
        _has_unwatched_graphs = utilities.counters["stats"]["unique_graphs"] > 0
    _load("ampprof_regions").watch(source)


def _hide_observer_key(source):
    """Hides the observer's dispatch key from higher-order operators, which choose their kernel in Python by dispatch
    key and have none for this key."""
    import torch

    if _recording_observer() is None:
        return
    extract = source.key_extractor
    ours = torch._C.DispatchKeySet(torch._C._dispatch_key_parse("TESTING_ONLY_GenericMode"))

    @functools.wraps(extract)
    def without_observer(tensors, key_mask):
        return extract(tensors, key_mask - ours)

    source.key_extractor = without_observer
