# SPDX-License-Identifier: Apache-2.0
"""Tells the observer about calls of regions that torch.compile() has compiled. Each call of a region, in forward or
backward, is recorded as one op call.

A forward is compared with the results of the same graph, uncompiled and in high precision. A backward is compared with
the gradients that autograd computes for this uncompiled graph, from the same gradients of the results. Between
region_begun() and region_ended(), the program's own work is between region_starts() and region_stops(). All other ops
in between are ampprof's."""

import contextlib
import ctypes
import functools

import torch
import torch._dynamo.callback
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map

_REDUCED = (torch.float16, torch.bfloat16)
_HIGH = {1: torch.float32, 2: torch.float64}  # keys: ComparedIn of profiler/preload/hooks.h
_TO_FIXED_TYPE = (torch.Tensor.half, torch.Tensor.bfloat16, torch.Tensor.float)
_AUTOCAST = (torch.amp.autocast_mode._enter_autocast, torch.amp.autocast_mode._exit_autocast)


def _is_below(dtype, high):
    return dtype in _REDUCED or (dtype is torch.float32 and high is torch.float64)


class _InHighPrecision(TorchFunctionMode):
    """Runs a graph without autocast and without casts to types below `high`."""

    def __init__(self, high):
        super().__init__()
        self._high = high

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function in _AUTOCAST:
            return None
        if function in _TO_FIXED_TYPE:
            function, args = torch.Tensor.to, (args[0], self._high)
        return function(*tree_map(self._raised, args), **tree_map(self._raised, kwargs or {}))

    def _raised(self, value):
        """Converts dtypes below `high`, and tensors of such dtypes, to `high`."""
        if isinstance(value, torch.dtype):
            return self._high if _is_below(value, self._high) else value
        if isinstance(value, torch.Tensor) and _is_below(value.dtype, self._high):
            return value.to(self._high)
        return value


def _is_trained(value):
    return isinstance(value, torch.Tensor) and value.requires_grad


def _listed(results):
    return list(results) if isinstance(results, (tuple, list)) else [results]


def _copied(value, high, keeps_graph):
    """Copies an input so that the graph cannot change the program's tensor. The copy is in `high` if the input's dtype
    is lower."""
    if not isinstance(value, torch.Tensor):
        return value
    copy = value.to(high, copy=True) if _is_below(value.dtype, high) else value.clone()
    return copy.requires_grad_(keeps_graph and value.requires_grad)


class _NotCompared(Exception):
    """The results cannot be compared. The message says why."""


class _ForwardAgain:
    """Runs the uncompiled graph of a call again, in high precision and on copies of its inputs."""

    def __init__(self, graph, inputs):
        self._graph, self._theirs = graph, inputs
        self.keeps_graph = torch.is_grad_enabled() and any(map(_is_trained, inputs))
        self.inputs, self.results = [], []

    def prepare(self, high):
        if self._graph is None:
            raise _NotCompared("the graph cannot be copied")
        self.inputs, self._mode = [_copied(value, high, self.keeps_graph) for value in self._theirs], _InHighPrecision(high)

    def run(self):
        with self._mode:
            self.results = _listed(self._graph(*map(self._argument, self.inputs, self._theirs)))
        return [result.detach() if isinstance(result, torch.Tensor) else None for result in self.results]

    def _argument(self, copy, theirs):
        """Returns a clone of `copy` if the graph may write the input in place, which autograd forbids for a leaf that
        requires grad."""
        return copy.clone() if self.keeps_graph and _is_trained(theirs) and not theirs.is_leaf else copy


class _GradientsOf:
    """Computes the reference for a compiled graph's backward. The autograd node of the compiled graph owns this object,
    which keeps the autograd graph of the uncompiled graph alive."""

    keeps_graph = False

    def __init__(self, node, inputs, results, forward):
        self._why_not, self._inputs = self._doubt(node, inputs, results), forward.inputs
        self._results = [(again, result.output_nr) for again, result in zip(forward.results, results) if _is_trained(result)]
        self._gradients = ()

    @staticmethod
    def _doubt(node, inputs, results):
        """Returns why the compiled and the uncompiled graph cannot be paired, or "". Results are paired by their output
        number at the node, gradients by the order of the inputs. So the node must have one edge for each input
        tensor."""
        if any(_is_trained(result) and result.grad_fn is not node for result in results):
            return "a result is a view, or was made outside of the graph"
        tensors, edges = [value for value in inputs if isinstance(value, torch.Tensor)], node.next_functions
        if len(tensors) != len(edges):
            return "the compiled graph takes different inputs"
        for value, (function, number) in zip(tensors, edges):
            comes_from = getattr(function, "variable", None) is value if value.is_leaf else function is value.grad_fn
            if value.requires_grad and not (comes_from and number == value.output_nr):
                return "the compiled graph takes its inputs in a different order"
        return ""

    def of(self, gradients):
        self._gradients = gradients
        return self

    def prepare(self, _):
        if self._why_not:
            raise _NotCompared(self._why_not)

    def run(self):
        asked = [(again, self._gradients[number]) for again, number in self._results if self._gradients[number] is not None]
        results, gradients = zip(*((again, gradient.to(again.dtype)) for again, gradient in asked))
        trained = [value for value in self._inputs if _is_trained(value)]
        is_kept = torch._C._autograd._get_current_graph_task_keep_graph()
        found = iter(torch.autograd.grad(results, trained, gradients, retain_graph=is_kept, allow_unused=True))
        return [next(found) if _is_trained(value) else None for value in self._inputs]


class _Unknown:
    """Takes the place of _GradientsOf in a backward whose forward has no reference."""

    keeps_graph = False

    def prepare(self, _):
        raise _NotCompared("the forward pass of this region is not compared")


class _CallsOfRegions:
    """The stub's C functions for calls of regions (profiler/preload/hooks.h)."""

    def __init__(self, stub):
        self._begun = stub.ampprof_region_begun
        self._begun.argtypes, self._begun.restype = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t], ctypes.c_void_p
        self._compared_in = stub.ampprof_region_compared_in
        self._compared_in.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.starts, self.stops, self.failed = (self._function_of_call(stub, name) for name in ("starts", "stops", "failed"))
        self.stops.argtypes, self.stops.restype = [ctypes.c_void_p, ctypes.c_int], ctypes.c_int
        self._ended = stub.ampprof_region_ended
        self._ended.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p]
        self._ended.restype = ctypes.c_int

    @staticmethod
    def _function_of_call(stub, name):
        function = getattr(stub, f"ampprof_region_{name}")
        function.argtypes, function.restype = [ctypes.c_void_p], None
        return function

    @staticmethod
    def _pointers(values):
        return (ctypes.c_void_p * len(values))(*(v._cdata if isinstance(v, torch.Tensor) else None for v in values))

    def begin(self, name, inputs):
        """Returns the stub's handle of the call; None if the call is not recorded."""
        return self._begun(name.encode(), self._pointers(inputs), len(inputs))

    def compared_in(self, call, functions):
        """Returns the dtype of the reference, or None if the results are not compared."""
        return _HIGH.get(self._compared_in(call, functions))

    def end(self, call, results, references, why_not):
        """Returns whether the results were compared with the references."""
        results = _listed(results)
        references = [*references, *[None] * len(results)][: len(results)]
        return bool(self._ended(call, self._pointers(results), self._pointers(references), len(results), why_not.encode()))


class Region:
    """A region of torch.compile(): its compiled and its uncompiled graph."""

    def __init__(self, calls, name, compiled, graph):
        self._calls, self._name, self._compiled, self._graph = calls, name, compiled, graph
        self._functions = _functions_of(graph)

    def forward(self, *inputs):
        again = _ForwardAgain(self._graph, inputs)
        results, is_compared = self._run(inputs, lambda: self._compiled(*inputs), again)
        try:
            self._watch_backward(inputs, _listed(results), again if is_compared else None)
        except Exception:  # noqa: BLE001
            pass
        return results

    def _run(self, inputs, run, again):
        """Calls `run`. Returns its results, and whether they were compared with the results of `again`."""
        call, why_not = self._begin(inputs, again)
        if call is None:
            return run(), False
        try:
            self._calls.starts(call)
            results = run()
        except BaseException:
            self._calls.failed(call)
            raise
        references = ()
        if self._calls.stops(call, again.keeps_graph) and not why_not:
            references, why_not = self._tried(again.run)
        try:
            return results, self._calls.end(call, results, references or (), why_not)
        except Exception:  # noqa: BLE001  raised before the stub's function was called
            self._calls.failed(call)
        return results, False

    def _begin(self, inputs, again):
        """Returns the stub's handle of the call, and the reason why the call has no reference, or ""."""
        try:
            call = self._calls.begin(self._name, inputs)
        except Exception:  # noqa: BLE001
            return None, ""
        high = self._calls.compared_in(call, self._functions) if call is not None else None
        return call, self._tried(again.prepare, high)[1] if high is not None else ""

    @staticmethod
    def _tried(function, *arguments):
        """Returns the function's result and "", or None and the reason why it failed."""
        try:
            return function(*arguments), ""
        except _NotCompared as reason:
            return None, str(reason)
        except Exception as error:  # noqa: BLE001
            return None, f"{type(error).__name__}: {error}".splitlines()[0]

    def _watch_backward(self, inputs, results, again):
        """Wraps backward() of the autograd class that torch.compile() makes for each graph with gradients."""
        for result in results:
            node = getattr(result, "grad_fn", None)
            function = getattr(type(node), "_forward_cls", None)
            if function is None or not function.__name__.startswith("CompiledFunction"):
                continue
            if "_ampprof_region" not in vars(function):
                function._ampprof_region = self
                function.backward = staticmethod(self._watched(function.backward))
            if again is not None:
                node._ampprof_again = _GradientsOf(node, inputs, results, again)
            return

    def _watched(self, backward):
        @torch._dynamo.disable  # compiled code may call the autograd engine, and Dynamo would trace this function
        @functools.wraps(backward)
        def watched_backward(context, *gradients):
            known = getattr(context, "_ampprof_again", None)
            again = _Unknown() if known is None else known.of(gradients)
            return self._run(gradients, lambda: backward(context, *gradients), again)[0]

        return watched_backward


def _name_of_graph_in_progress():
    """Returns the compile id of the graph in progress, such as "0/0", which PyTorch's logs and profiler show too."""
    compile_id = torch._guards.CompileContext.current_compile_id()
    return str(compile_id) if compile_id is not None else "?"


def _uncompiled(graph):
    """Copies the graph before the compiler changes it. Shares weights and buffers with the original."""
    nodes = torch.fx.Graph()
    nodes.output(nodes.graph_copy(graph.graph, {}))
    for node in nodes.nodes:
        node.meta.clear()
    return torch.fx.GraphModule(graph, nodes)


def _functions_of(graph):
    """Returns the names of the functions that a graph calls, separated by spaces."""
    if graph is None:
        return b""
    modules = dict(graph.named_modules())
    called = (node.target if node.op != "call_module" else type(modules.get(node.target)) for node in graph.graph.nodes)
    names = {target if isinstance(target, str) else getattr(target, "__name__", "") for target in called}
    return " ".join(sorted(names)).lower().encode()


def _hide_compilation(stub):
    """Hides ops that PyTorch runs while it compiles: on fake tensors, and to choose among kernels."""
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
    """Wraps each graph that Dynamo gets from the compiler. `source`: the module torch._dynamo.output_graph."""
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
