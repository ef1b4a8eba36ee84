# SPDX-License-Identifier: Apache-2.0
"""Applies the remedies of `ampprof run --remedy`. Unlike the hooks, these change what a program computes."""

import atexit
import difflib
import functools
import sys
import weakref

_optimizers = weakref.WeakSet()  # every optimizer that the program has made
_scaler = lambda: None  # noqa: E731  returns the GradScaler that scaled last, or None


class _Remedy:
    """A word of the flag `--remedy`, and whether it has changed something in the program."""

    def __init__(self, word, lacking):
        self.word = word
        self.lacking = lacking
        self.applied = False
        atexit.register(self._report)

    def _report(self):
        launches = "torch.distributed.launcher.api" in sys.modules  # in torchrun, whose child processes train
        if not self.applied and not launches:
            print(f"ampprof: --remedy {self.word} had no effect: {self._why()}", file=sys.stderr)

    def _why(self):
        return self.lacking() if callable(self.lacking) else self.lacking


def apply(text, when_imported):
    """Applies remedies such as "eps=1e-4,master_weights", which the command line has checked. Returns a function that
    must be called with each module's path and the module."""
    when_imported("torch.optim.optimizer", _note_optimizers)
    modules = _WantedModules()
    for word in text.split(","):
        name, _, value = word.partition("=")
        if name == "fp32_module":
            modules.want(word, value)
        else:
            _REMEDIES[name](word, value, when_imported)
    return modules.name_given


def _wrap(owner, name, around):
    """Replaces a method by `around`, which is called with the method and the method's arguments."""
    inside = getattr(owner, name)

    @functools.wraps(inside)
    def outside(*args, **kwargs):
        return around(inside, *args, **kwargs)

    setattr(owner, name, outside)


def _note_optimizers(source):
    def add_param_group(add, optimizer, *args, **kwargs):
        add(optimizer, *args, **kwargs)
        _optimizers.add(optimizer)

    _wrap(source.Optimizer, "add_param_group", add_param_group)


def _parameters_of(optimizer):
    return [p for group in optimizer.param_groups for p in group["params"]]


def _with_gradients():
    return {id(p): p for optimizer in _optimizers for p in _parameters_of(optimizer) if p.grad is not None}.values()


def _change_scalers(remedy, when_imported, change):
    def init(make, scaler, *args, **kwargs):
        make(scaler, *args, **kwargs)
        if scaler.is_enabled():
            change(scaler)
            remedy.applied = True

    when_imported("torch.amp.grad_scaler", lambda source: _wrap(source.GradScaler, "__init__", init))


def _init_scale(word, scale, when_imported):
    def change(scaler):
        scaler._init_scale = float(scale)

    _change_scalers(_Remedy(word, "the program created no GradScaler"), when_imported, change)


def _no_scale_growth(word, _, when_imported):
    def change(scaler):
        scaler._growth_interval = 2**31 - 1

    _change_scalers(_Remedy(word, "the program created no GradScaler"), when_imported, change)


def _loss_scale(word, scale, when_imported):
    """Multiplies each loss by a static power of two. Divides the gradients right after backward(), so the program sees
    them unscaled. Before backward(), multiplies gradients that are already accumulated; a power of two does not round
    them."""
    scale = float(scale)
    remedy = _Remedy(word, "the program called backward() on no tensor after it had created an optimizer")

    def backward(run, loss, *args, **kwargs):
        import torch

        with torch.no_grad():
            for p in _with_gradients():
                p.grad.mul_(scale)
        run(loss * scale, *args, **kwargs)
        with torch.no_grad():
            for p in _with_gradients():
                p.grad.div_(scale)
                remedy.applied = True

    when_imported("torch._tensor", lambda source: _wrap(source.Tensor, "backward", backward))


def _eps(word, least, when_imported):
    remedy = _Remedy(word, f"no optimizer has an eps below {least}")
    least = float(least)

    def add_param_group(add, optimizer, *args, **kwargs):
        add(optimizer, *args, **kwargs)
        group = optimizer.param_groups[-1]
        if isinstance(group.get("eps"), float) and group["eps"] < least:
            group["eps"] = least
            remedy.applied = True

    when_imported("torch.optim.optimizer", lambda source: _wrap(source.Optimizer, "add_param_group", add_param_group))


def _no_cast_cache(word, _, when_imported):
    remedy = _Remedy(word, "the program used no torch.autocast")

    def init(make, autocast, *args, **kwargs):
        make(autocast, *args, **kwargs)
        autocast._cache_enabled = False
        remedy.applied = True

    when_imported("torch.amp.autocast_mode", lambda source: _wrap(source.autocast, "__init__", init))


def _unscale_before_clip(word, _, when_imported):
    remedy = _Remedy(word, "the program did not clip scaled gradients with torch.nn.utils")

    def scale(run, scaler, *args, **kwargs):
        global _scaler
        _scaler = weakref.ref(scaler)
        return run(scaler, *args, **kwargs)

    def clip(run, parameters, *args, **kwargs):
        parameters = [parameters] if hasattr(parameters, "grad") else list(parameters)
        scaler, clipped = _scaler(), {id(p) for p in parameters}
        for optimizer in _optimizers if scaler is not None and scaler.is_enabled() else ():
            is_scaled = scaler._per_optimizer_states[id(optimizer)]["stage"].name == "READY"
            if is_scaled and any(id(p) in clipped and p.grad is not None for p in _parameters_of(optimizer)):
                scaler.unscale_(optimizer)
                remedy.applied = True
        return run(parameters, *args, **kwargs)

    def wrap_clips(source):
        for name in ("clip_grad_norm_", "clip_grad_value_"):
            _wrap(source, name, clip)

    when_imported("torch.amp.grad_scaler", lambda source: _wrap(source.GradScaler, "scale", scale))
    when_imported("torch.nn.utils.clip_grad", wrap_clips)


def _in_fp32(module):
    """Keeps a module's parameters in FP32 and runs its forward in FP32. Outside of autocast, results have the dtype of
    the first floating-point input."""
    import torch
    from torch.utils import _pytree as trees

    def is_float(value):
        return isinstance(value, torch.Tensor) and value.is_floating_point()

    def cast(values, dtype):
        return trees.tree_map(lambda value: value.to(dtype) if is_float(value) else value, values)

    def wide_forward(forward, *args, **kwargs):
        taken = [value for value in trees.tree_leaves((args, kwargs)) if is_float(value)]
        device = taken[0].device.type if taken else "cpu"
        casts = torch.is_autocast_enabled(device)
        with torch.autocast(device, enabled=False):
            result = forward(*cast(args, torch.float32), **cast(kwargs, torch.float32))
        return result if casts or not taken else cast(result, taken[0].dtype)

    def keep(apply, change, *args, **kwargs):
        return apply(lambda value: value.to(change(value).device) if is_float(value) else change(value), *args, **kwargs)

    module.float()
    _wrap(module, "forward", wide_forward)
    _wrap(module, "_apply", keep)


class _WantedModules:
    """Modules that run in FP32, found by their paths."""

    def __init__(self):
        self._wanted = {}
        self._paths = []  # paths of all modules, for a suggestion

    def want(self, word, path):
        self._wanted[path] = _Remedy(word, lambda: f"the program called no module {path}{self._suggestion(path)}")

    def name_given(self, path, module):
        self._paths.append(path)
        if path in self._wanted:
            _in_fp32(module)
            self._wanted[path].applied = True

    def _suggestion(self, path):
        near = difflib.get_close_matches(path, self._paths, n=1)
        return f"; did you mean {near[0]}?" if near else ""


class _Masters:
    """FP32 master copies of 16-bit weights, which an optimizer updates instead of the weights."""

    def __init__(self):
        self._copies = {}  # id of the weight -> (weak reference to the weight, its copy)

    def take_place(self, parameter):
        """Replaces a weight with its FP32 copy. Returns the arguments of give_back(). Makes a new copy if other code has
        written the weight since the last give_back()."""
        low, gradient = parameter.data, parameter.grad
        known, master = self._copies.get(id(parameter), (lambda: None, None))
        if known() is not parameter or not (master.to(low.dtype) == low).all():
            master = low.float()
        parameter.grad = None
        parameter.data = master
        parameter.grad = gradient.float()
        return low, gradient

    def give_back(self, parameter, low, gradient):
        master = parameter.data
        self._copies[id(parameter)] = weakref.ref(parameter), master
        parameter.grad = None
        parameter.data = low.copy_(master)
        parameter.grad = gradient


def _master_weights(word, _, when_imported):
    remedy = _Remedy(word, "no optimizer updated weights in 16 bits")
    masters = _Masters()

    def with_masters(step):
        @functools.wraps(step)
        def step_on_masters(optimizer, *args, **kwargs):
            half = [p for p in _parameters_of(optimizer)
                    if p.grad is not None and p.is_floating_point() and p.element_size() == 2]
            if not half or args or kwargs:  # a closure would compute with the FP32 copies
                return step(optimizer, *args, **kwargs)
            remedy.applied = True
            kept = [(p, *masters.take_place(p)) for p in half]
            try:
                return step(optimizer)
            finally:
                for each in kept:
                    masters.give_back(*each)

        return step_on_masters

    def around_hooks(make, step):
        return make(with_masters(step))

    def wrap_steps(source):
        make_step = source.Optimizer.profile_hook_step
        source.Optimizer.profile_hook_step = staticmethod(lambda step: around_hooks(make_step, step))

    when_imported("torch.optim.optimizer", wrap_steps)


_REMEDIES = {
    "init_scale": _init_scale,
    "no_scale_growth": _no_scale_growth,
    "loss_scale": _loss_scale,
    "eps": _eps,
    "no_cast_cache": _no_cast_cache,
    "unscale_before_clip": _unscale_before_clip,
    "master_weights": _master_weights,
}
