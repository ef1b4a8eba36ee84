# SPDX-License-Identifier: Apache-2.0
"""Apex's fused optimizers, which amp_core computes: a few kernels per step, moments in FP32.

Parameters are FP16, BF16, FP32 or FP64 tensors, in a list or in groups. Sparse gradients, and options out of range, raise
RuntimeError. An optimizer is a `torch.optim.Optimizer`: schedulers and checkpoints work. Without `set_grad_none`,
zero_grad() makes gradients zero instead of None.
"""

import torch

from .._library import classes


def _plain(value):
    """Converts an option for the engine: NumPy numbers and one-element tensors become floats."""
    if isinstance(value, (list, tuple)):
        return tuple(float(each) for each in value)
    return value if isinstance(value, (bool, int, float)) else float(value)


class _Fused(torch.optim.Optimizer):
    """Keeps groups and state as PyTorch's optimizers do, so that schedulers and checkpoints work."""

    _sets_none = True

    def __init__(self, params, set_grad_none, **defaults):
        if defaults.pop("amsgrad", False):
            raise RuntimeError(f"{type(self).__name__} does not support the AMSGrad variant. Leave amsgrad out.")
        self._fused = classes.FusedOptimizer(type(self)._kind)
        self._sets_none = set_grad_none
        super().__init__(params, defaults)

    def __setstate__(self, state):
        """Restores a copied or unpickled optimizer, with a new C++ optimizer of its own."""
        super().__setstate__(state)
        self._fused = classes.FusedOptimizer(type(self)._kind)
        self._tell_groups()

    def add_param_group(self, group):
        """Adds a group of parameters, whose options override the defaults. Raises RuntimeError for invalid options."""
        super().add_param_group(group)
        try:
            self._tell_groups()
        except Exception:
            self.param_groups.pop()
            raise

    def _tell_groups(self):
        for number, group in enumerate(self.param_groups):
            options = {name: _plain(group[name]) for name in self.defaults if name != "differentiable" and name in group}
            self._fused.set_group(number, list(group["params"]), options)

    @torch.no_grad()
    def step(self, closure=None):
        """Updates the parameters that have gradients. Returns what `closure` returned, if there is one."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        self._tell_groups()
        parameters = [parameter for group in self.param_groups for parameter in group["params"]]
        states = [self.state[parameter] if parameter in self.state else {} for parameter in parameters]
        for place, state in zip(*self._fused.step(parameters, states)):
            self.state[parameters[place]] = state
        return loss

    def zero_grad(self, set_to_none=None):
        """Drops the gradients, or makes them zero if the optimizer was made with set_grad_none=False."""
        super().zero_grad(self._sets_none if set_to_none is None else set_to_none)

    def load_state_dict(self, state_dict):
        """Restores a checkpoint of this class, or of Apex's class, whose checkpoints have step counts in the groups."""
        super().load_state_dict(state_dict)
        for group, saved in zip(self.param_groups, state_dict["param_groups"]):
            for name, value in self.defaults.items():  # Apex does not keep all of them in the groups
                group.setdefault(name, value)
            for parameter, index in zip(group["params"], saved["params"]):
                state = state_dict["state"].get(index)  # PyTorch has rounded moments to the type of a half parameter
                if state:
                    self.state[parameter] = self._state_from({"step": saved.get("step", 0), **state}, parameter)

    def _state_from(self, saved, parameter):
        missing = [name for name in self._state_names if name not in saved]
        if missing:
            raise RuntimeError(f"This is not a checkpoint of ampprof's {type(self).__name__}: its state has no {missing[0]}.")
        return {name: torch.as_tensor(value, dtype=torch.float32 if name == "step" else None).to(parameter.device, copy=True)
                for name, value in saved.items() if isinstance(value, (torch.Tensor, int, float))}


class FusedAdam(_Fused):
    """Adam, or AdamW with `adam_w_mode`.

    Raises RuntimeError with `amsgrad`. `capturable` and `master_weights` have no effect.
    """

    _kind = "FusedAdam"
    _state_names = ("exp_avg", "exp_avg_sq")

    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-8, adam_w_mode=True,
                 weight_decay=0.0, amsgrad=False, set_grad_none=True, capturable=False, master_weights=False):
        super().__init__(params, set_grad_none, amsgrad=amsgrad, lr=lr, bias_correction=bias_correction, betas=betas,
                         eps=eps, adam_w_mode=adam_w_mode, weight_decay=weight_decay)


class FusedSGD(_Fused):
    """SGD with momentum. `materialize_master_grads` has no effect: masters, if there are any, always have gradients."""

    _kind = "FusedSGD"
    _state_names = ()

    def __init__(self, params, lr, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False,
                 wd_after_momentum=False, materialize_master_grads=True, set_grad_none=False):
        super().__init__(params, set_grad_none, lr=lr, momentum=momentum, dampening=dampening,
                         weight_decay=weight_decay, nesterov=nesterov, wd_after_momentum=wd_after_momentum)


class FusedLAMB(_Fused):
    """LAMB: Adam with a learning rate for each layer, and gradients clipped by their global norm."""

    _kind = "FusedLAMB"
    _state_names = ("exp_avg", "exp_avg_sq")

    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01,
                 amsgrad=False, adam_w_mode=True, grad_averaging=True, set_grad_none=True, max_grad_norm=1.0,
                 use_nvlamb=False):
        super().__init__(params, set_grad_none, amsgrad=amsgrad, lr=lr, bias_correction=bias_correction, betas=betas,
                         eps=eps, weight_decay=weight_decay, adam_w_mode=adam_w_mode, grad_averaging=grad_averaging,
                         max_grad_norm=max_grad_norm, use_nvlamb=use_nvlamb)


class FusedNovoGrad(_Fused):
    """NovoGrad: the second moment is one norm for each parameter. `norm_type` is 2, or 0 for the maximum norm."""

    _kind = "FusedNovoGrad"
    _state_names = ("exp_avg", "norm")

    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0,
                 amsgrad=False, reg_inside_moment=False, grad_averaging=True, norm_type=2, init_zero=False,
                 set_grad_none=True):
        super().__init__(params, set_grad_none, amsgrad=amsgrad, lr=lr, bias_correction=bias_correction, betas=betas,
                         eps=eps, weight_decay=weight_decay, reg_inside_moment=reg_inside_moment,
                         grad_averaging=grad_averaging, norm_type=norm_type, init_zero=init_zero)


class FusedAdagrad(_Fused):
    """Adagrad, with decoupled weight decay if `adagrad_w_mode` is set."""

    _kind = "FusedAdagrad"
    _state_names = ("sum",)

    def __init__(self, params, lr=1e-2, eps=1e-10, weight_decay=0.0, set_grad_none=True, adagrad_w_mode=False):
        super().__init__(params, set_grad_none, lr=lr, eps=eps, weight_decay=weight_decay,
                         adagrad_w_mode=adagrad_w_mode)


__all__ = ["FusedAdagrad", "FusedAdam", "FusedLAMB", "FusedNovoGrad", "FusedSGD"]
