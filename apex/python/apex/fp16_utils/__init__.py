# SPDX-License-Identifier: Apache-2.0
"""Converts models to half and keeps master weights without amp.initialize(), for scripts older than amp."""

import torch
from torch.nn.modules.batchnorm import _BatchNorm

from .. import amp
from .._library import engine

__all__ = [
    "BN_convert_float", "FP16Model", "FP16_Optimizer", "clip_grad_norm", "convert_module", "convert_network",
    "master_params_to_model_params", "model_grads_to_master_grads", "network_to_half", "prep_param_lists", "tofp16",
    "to_python_float",
]


class tofp16(torch.nn.Module):
    """A layer that casts its input to FP16."""

    def forward(self, input):
        """Returns the input in FP16."""
        return input.half()


def BN_convert_float(module):
    """Converts batch norm layers with parameters to FP32, in place. Returns the module."""
    for layer in module.modules():
        if isinstance(layer, _BatchNorm) and layer.affine:
            layer.float()
    return module


def convert_module(module, dtype):
    """Converts a module's own floating parameters and buffers to `dtype`, in place."""
    for tensor in (*module._parameters.values(), *module._buffers.values()):
        if tensor is not None and tensor.is_floating_point():
            tensor.data = tensor.data.to(dtype)


def convert_network(network, dtype):
    """Converts a model to `dtype`, in place, except batch norm layers with parameters. Returns the model."""
    for module in network.modules():
        if isinstance(module, _BatchNorm) and module.affine:
            continue
        convert_module(module, dtype)
        if isinstance(module, torch.nn.RNNBase):
            module.flatten_parameters()
    return network


def network_to_half(network):
    """Returns a model that casts its input to FP16 and runs in FP16, except batch norm."""
    return torch.nn.Sequential(tofp16(), BN_convert_float(network.half()))


class FP16Model(torch.nn.Module):
    """A model in FP16, except batch norm, that casts its inputs to FP16."""

    def __init__(self, network):
        super().__init__()
        self.network = convert_network(network, torch.float16)

    def forward(self, *inputs):
        """Calls the model with its inputs in FP16."""
        return self.network(*(each.half() for each in inputs))


def prep_param_lists(model, flat_master=False):
    """Returns the parameters that require grad, and their FP32 masters: a single flat one if `flat_master` is set."""
    models = [parameter for parameter in model.parameters() if parameter.requires_grad]
    if flat_master:
        flat = torch.nn.utils.parameters_to_vector([parameter.data.float() for parameter in models])
        masters = [torch.nn.Parameter(flat)]
    else:
        masters = [torch.nn.Parameter(parameter.detach().float().clone()) for parameter in models]
    return models, masters


def model_grads_to_master_grads(model_params, master_params, flat_master=False):
    """Copies the gradients of a model's parameters to the masters, in FP32."""
    if flat_master:
        flat = torch.nn.utils.parameters_to_vector([parameter.grad.float() for parameter in model_params])
        master_params[0].grad = flat
        return
    for model, master in zip(model_params, master_params):
        master.grad = None if model.grad is None else model.grad.float()


def master_params_to_model_params(model_params, master_params, flat_master=False):
    """Copies masters to the model's parameters, rounded to the type of the parameters."""
    with torch.no_grad():
        values = master_params
        if flat_master:
            sizes = [parameter.numel() for parameter in model_params]
            values = [part.view_as(model) for part, model in zip(master_params[0].split(sizes), model_params)]
        for model, value in zip(model_params, values):
            model.copy_(value)


def to_python_float(tensor):
    """Returns the value of a one-element tensor."""
    return tensor.item() if hasattr(tensor, "item") else tensor[0]


clip_grad_norm = torch.nn.utils.clip_grad_norm_


class FP16_Optimizer:
    """An optimizer for a model that the script converted to half: it updates FP32 masters, and scales the loss.

    amp.scale_loss() does the scaling, static or dynamic, with one scaler for all optimizers of this class.
    `dynamic_loss_args` has no effect. `overflow` is true if the last pass lowered the loss scale. Other attributes
    are those of the optimizer.
    """

    def __init__(self, init_optimizer, static_loss_scale=1.0, dynamic_loss_scale=False, dynamic_loss_args=None, verbose=True):
        loss_scale = "dynamic" if dynamic_loss_scale else static_loss_scale
        _, self.optimizer = amp.initialize([], init_optimizer, opt_level="O2", cast_model_type=False,
                                           keep_batchnorm_fp32=False, verbosity=int(verbose), loss_scale=loss_scale)
        self.overflow = False

    def __getattr__(self, name):
        if name == "optimizer":  # not set yet, as during a copy
            raise AttributeError(name)
        return getattr(self.optimizer, name)

    @property
    def loss_scale(self):
        """Returns the current scale, a float."""
        return engine.loss_scale(0)

    def backward(self, loss, update_master_grads=True, retain_graph=False):
        """Runs the backward pass of the scaled loss. Masters get gradients now, or in update_master_grads()."""
        before = self.loss_scale
        with amp.scale_loss(loss, self.optimizer, delay_unscale=not update_master_grads) as scaled_loss:
            scaled_loss.backward(retain_graph=retain_graph)
        self.overflow = self.loss_scale < before

    def update_master_grads(self):
        """Unscales the gradients of passes with update_master_grads=False, and stores them in the masters."""
        before = self.loss_scale
        with amp.scale_loss(torch.zeros(()), self.optimizer):
            pass
        self.overflow = self.loss_scale < before

    def clip_master_grads(self, max_norm, norm_type=2):
        """Clips the masters' gradients by their norm, and returns the norm."""
        return torch.nn.utils.clip_grad_norm_(list(amp.master_params(self.optimizer)), max_norm, norm_type)

    def state_dict(self):
        """Returns the state of the optimizer and of the scaler, and copies of the masters."""
        return {
            "optimizer_state_dict": self.optimizer.state_dict(),
            "loss_scaler": amp.state_dict()["loss_scaler0"],
            "fp32_from_fp16": [[master.detach().clone() for master in group["params"]] for group in self.param_groups],
        }

    def load_state_dict(self, state):
        """Restores a result of state_dict(). The model gets the masters' values in the next step."""
        self.optimizer.load_state_dict(state["optimizer_state_dict"])
        amp.load_state_dict({"loss_scaler0": state["loss_scaler"]})
        with torch.no_grad():
            for group, saved in zip(self.param_groups, state["fp32_from_fp16"]):
                for master, value in zip(group["params"], saved):
                    master.copy_(value)
