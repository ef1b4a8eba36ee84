# SPDX-License-Identifier: Apache-2.0
"""Tells the observer of the regions that torch.compile() makes: each call of one is an op call, forward and backward.

The results of a forward are compared with those of the same graph, uncompiled and in high precision. All of what is run
for that is ampprof's own, between the observer's region_begun() and region_ended(), but for what starts and stops bracket."""

import contextlib
import ctypes
import functools
import os

import torch
import torch._dynamo.callback
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map

_REDUCED = (torch.float16, torch.bfloat16)
_HIGH = torch.float64 if os.environ.get("AMPPROF_RECORD_REFERENCE") == "fp64" else torch.float32
_TO_FIXED_TYPE = (torch.Tensor.half, torch.Tensor.bfloat16, torch.Tensor.float)
_AUTOCAST = (torch.amp.autocast_mode._enter_autocast, torch.amp.autocast_mode._exit_autocast)


def _in_high(value):
    """What a function gets in place of a reduced type, or of a tensor that has one."""
    if isinstance(value, torch.dtype):
        return _HIGH if _is_below_high(value) else value
    if isinstance(value, torch.Tensor) and _is_below_high(value.dtype):
        return value.to(_HIGH)
    return value


def _is_below_high(dtype):
    return dtype in _REDUCED or (dtype is torch.float32 and _HIGH is torch.float64)


class _InHighPrecision(TorchFunctionMode):
    """Runs a graph as it would be without autocast and without casts to reduced types."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function in _AUTOCAST:
            return None
        if function in _TO_FIXED_TYPE:
            function, args = torch.Tensor.to, (args[0], _HIGH)
        return function(*tree_map(_in_high, args), **tree_map(_in_high, kwargs or {}))


def _copied(value):
    """What the graph may write, so that the program's own stays as it is."""
    if not isinstance(value, torch.Tensor):
        return value
    return value.to(_HIGH, copy=True) if _is_below_high(value.dtype) else value.clone()


class _CallsOfRegions:
    """The C functions of the preload stub."""

    def __init__(self, stub):
        self._begun = stub.ampprof_region_begun
        self._begun.argtypes, self._begun.restype = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t], ctypes.c_void_p
        self._is_compared = stub.ampprof_region_is_compared
        self._is_compared.argtypes = [ctypes.c_void_p]
        self.starts, self.stops, self.failed = (self._function_of_call(stub, name) for name in ("starts", "stops", "failed"))
        self.stops.restype = ctypes.c_int
        self._ended = stub.ampprof_region_ended
        self._ended.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
        self._ended.restype = None

    @staticmethod
    def _function_of_call(stub, name):
        function = getattr(stub, f"ampprof_region_{name}")
        function.argtypes, function.restype = [ctypes.c_void_p], None
        return function

    @staticmethod
    def _pointers(values):
        return (ctypes.c_void_p * len(values))(*(v._cdata if isinstance(v, torch.Tensor) else None for v in values))

    def begin(self, name, inputs):
        """None where the call is not recorded."""
        return self._begun(name.encode(), self._pointers(inputs), len(inputs))

    def is_compared(self, call):
        return bool(self._is_compared(call))

    def end(self, call, results, references, why_not):
        results = results if isinstance(results, (tuple, list)) else (results,)
        references = references if isinstance(references, (tuple, list)) else (references,)
        references = [*references, *[None] * len(results)][: len(results)]
        self._ended(call, self._pointers(results), self._pointers(references), len(results), why_not.encode())


class Region:
    """One graph: as torch.compile() made it, and as it was."""

    def __init__(self, calls, name, compiled, graph):
        self._calls, self._name, self._compiled, self._graph = calls, name, compiled, graph

    def forward(self, *inputs):
        results = self._run(inputs, lambda: self._compiled(*inputs), self._graph)
        try:
            self._watch_backward(results)
        except Exception:  # noqa: BLE001
            pass
        return results

    def _run(self, inputs, run, graph=None):
        call, again = self._begin(inputs, graph)
        if call is None:
            return run()
        try:
            self._calls.starts(call)
            results = run()
        except BaseException:
            self._calls.failed(call)
            raise
        references, why_not = self._again(again) if self._calls.stops(call) else ((), "")
        try:
            self._calls.end(call, results, references, why_not)
        except Exception:  # noqa: BLE001  # before the stub was called
            self._calls.failed(call)
        return results

    def _begin(self, inputs, graph):
        """The call, and the uncompiled graph with inputs of its own, or the reason why it is not run."""
        try:
            call = self._calls.begin(self._name, inputs)
        except Exception:  # noqa: BLE001
            return None, None
        if call is None or graph is None or not self._calls.is_compared(call):
            return call, None
        try:
            return call, functools.partial(graph, *[_copied(value) for value in inputs])
        except Exception as error:  # noqa: BLE001
            return call, error

    @staticmethod
    def _again(again):
        if again is None:
            return (), ""
        try:
            if isinstance(again, Exception):
                raise again
            with _InHighPrecision():
                return again(), ""
        except Exception as error:  # noqa: BLE001
            return (), f"{type(error).__name__}: {error}".splitlines()[0]

    def _watch_backward(self, results):
        """The class that torch.compile() makes for each graph whose gradients are asked for."""
        for result in results if isinstance(results, (tuple, list)) else (results,):
            node = getattr(result, "grad_fn", None)
            function = getattr(type(node), "_forward_cls", None)
            if function is None or not function.__name__.startswith("CompiledFunction"):
                continue
            if "_ampprof_region" not in vars(function):
                function._ampprof_region = self
                function.backward = staticmethod(self._watched(function.backward))
            return

    def _watched(self, backward):
        @torch._dynamo.disable  # the engine may be called from code that Dynamo compiles; it would take this for a part of it
        @functools.wraps(backward)
        def watched_backward(context, *gradients):
            return self._run(gradients, lambda: backward(context, *gradients))

        return watched_backward


def _name_of_graph_in_progress():
    """PyTorch's compile id, "0/0", as its logs and its profiler have it."""
    compile_id = torch._guards.CompileContext.current_compile_id()
    return str(compile_id) if compile_id is not None else "?"


def _uncompiled(graph):
    """The graph as it is now: compilers write into what they are given. Its weights and buffers are not copied."""
    nodes = torch.fx.Graph()
    nodes.output(nodes.graph_copy(graph.graph, {}))
    for node in nodes.nodes:
        node.meta.clear()
    return torch.fx.GraphModule(graph, nodes)


def _hide_compilation(stub):
    """While PyTorch compiles, it runs ops on fake tensors, and kernels to choose among: none are the program's."""
    handler = torch._dynamo.callback.CompilationCallbackHandler
    bracket = handler.install_callbacks

    @contextlib.contextmanager
    def hidden(self, *args, **kwargs):
        stub.ampprof_compile_begun()
        try:
            with bracket(self, *args, **kwargs):
                yield
        finally:
            stub.ampprof_compile_ended()

    handler.install_callbacks = hidden


def watch(source):
    """`source` is torch._dynamo.output_graph."""
    stub = ctypes.PyDLL(None)
    calls = _CallsOfRegions(stub)
    _hide_compilation(stub)
    compile_graph = source.OutputGraph.call_user_compiler

    def uncompiled(arguments):
        try:
            return _uncompiled(arguments[0])
        except Exception:  # noqa: BLE001
            return None

    @functools.wraps(compile_graph)
    def compile_watched(self, *args, **kwargs):
        graph = uncompiled(args)
        compiled = compile_graph(self, *args, **kwargs)
        if not callable(compiled):
            return compiled
        region = Region(calls, _name_of_graph_in_progress(), compiled, graph)

        @functools.wraps(compiled)
        def watched_graph(*inputs):
            return region.forward(*inputs)

        return watched_graph

    source.OutputGraph.call_user_compiler = compile_watched
