# SPDX-License-Identifier: Apache-2.0
"""Apex's fused optimizers, which amp_core computes: a few kernels a step, moments in FP32."""

import torch

from .._library import classes


class _Fused(torch.optim.Optimizer):
    """Keeps groups and state as PyTorch's optimizers do, so that schedulers and checkpoints work."""

    def __init__(self, params, set_grad_none, **defaults):
        if defaults.pop("amsgrad", False):
            raise RuntimeError(f"{type(self).__name__} does not support the AMSGrad variant. Leave amsgrad out.")
        self._fused = classes.FusedOptimizer(type(self)._kind)
        self._sets_none = set_grad_none
        self._options = tuple(defaults)
        super().__init__(params, defaults)

    def add_param_group(self, group):
        """Adds a group of parameters, with options of its own where it brings them. Raises RuntimeError for bad ones."""
        super().add_param_group(group)
        self._fused.optimizer().add_group(list(self.param_groups[-1]["params"]))
        self._tell_options()

    def _tell_options(self):
        for number, group in enumerate(self.param_groups):
            self._fused.set_options(number, {name: group[name] for name in self._options})

    @torch.no_grad()
    def step(self, closure=None):
        """Updates the parameters that have gradients. Returns what `closure` returned, if there is one."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        self._tell_options()
        self._fused.step()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None and parameter not in self.state:
                    self.state[parameter] = self._fused.state_of(parameter)
        return loss

    def zero_grad(self, set_to_none=None):
        """Drops the gradients, or makes them zero where the optimizer was made with set_grad_none=False."""
        super().zero_grad(self._sets_none if set_to_none is None else set_to_none)

    def load_state_dict(self, state_dict):
        """Goes on from a checkpoint of this class, or of Apex's, which counts steps in the groups."""
        super().load_state_dict(state_dict)
        for group in self.param_groups:
            for parameter in group["params"]:
                state = self.state.get(parameter)
                if not state:
                    continue
                steps = state.get("step", group.get("step", 0))
                state["step"] = torch.as_tensor(steps, dtype=torch.float32, device=parameter.device)
                tensors = {name: value for name, value in state.items() if isinstance(value, torch.Tensor)}
                self._fused.set_state(parameter, {name: _as_float(value) for name, value in tensors.items()})
                self.state[parameter] = self._fused.state_of(parameter)


def _as_float(tensor):
    """Returns moments in the type that the engine keeps; PyTorch rounds them to that of a half parameter."""
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


class FusedAdam(_Fused):
    """Adam, or AdamW with `adam_w_mode`. `amsgrad` is not supported, `capturable` and `master_weights` have no effect."""

    _kind = "FusedAdam"

    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-8, adam_w_mode=True,
                 weight_decay=0.0, amsgrad=False, set_grad_none=True, capturable=False, master_weights=False):
        super().__init__(params, set_grad_none, amsgrad=amsgrad, lr=lr, bias_correction=bias_correction, betas=betas,
                         eps=eps, adam_w_mode=adam_w_mode, weight_decay=weight_decay)


class FusedSGD(_Fused):
    """SGD with momentum. `materialize_master_grads` has no effect: masters have gradients where there are masters."""

    _kind = "FusedSGD"

    def __init__(self, params, lr, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False,
                 wd_after_momentum=False, materialize_master_grads=True, set_grad_none=False):
        super().__init__(params, set_grad_none, lr=lr, momentum=momentum, dampening=dampening,
                         weight_decay=weight_decay, nesterov=nesterov, wd_after_momentum=wd_after_momentum)


class FusedLAMB(_Fused):
    """LAMB: Adam with a rate for each layer, and gradients clipped by their global norm."""

    _kind = "FusedLAMB"

    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.01,
                 amsgrad=False, adam_w_mode=True, grad_averaging=True, set_grad_none=True, max_grad_norm=1.0,
                 use_nvlamb=False):
        super().__init__(params, set_grad_none, amsgrad=amsgrad, lr=lr, bias_correction=bias_correction, betas=betas,
                         eps=eps, weight_decay=weight_decay, adam_w_mode=adam_w_mode, grad_averaging=grad_averaging,
                         max_grad_norm=max_grad_norm, use_nvlamb=use_nvlamb)


class FusedNovoGrad(_Fused):
    """NovoGrad: the second moment is one norm for each parameter. `norm_type` is 2, or 0 for the largest value."""

    _kind = "FusedNovoGrad"

    def __init__(self, params, lr=1e-3, bias_correction=True, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0,
                 amsgrad=False, reg_inside_moment=False, grad_averaging=True, norm_type=2, init_zero=False,
                 set_grad_none=True):
        super().__init__(params, set_grad_none, amsgrad=amsgrad, lr=lr, bias_correction=bias_correction, betas=betas,
                         eps=eps, weight_decay=weight_decay, reg_inside_moment=reg_inside_moment,
                         grad_averaging=grad_averaging, norm_type=norm_type, init_zero=init_zero)


class FusedAdagrad(_Fused):
    """Adagrad, with decoupled weight decay where `adagrad_w_mode` is set."""

    _kind = "FusedAdagrad"

    def __init__(self, params, lr=1e-2, eps=1e-10, weight_decay=0.0, set_grad_none=True, adagrad_w_mode=False):
        super().__init__(params, set_grad_none, lr=lr, eps=eps, weight_decay=weight_decay,
                         adagrad_w_mode=adagrad_w_mode)


__all__ = ["FusedAdagrad", "FusedAdam", "FusedLAMB", "FusedNovoGrad", "FusedSGD"]
