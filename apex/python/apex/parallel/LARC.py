# SPDX-License-Identifier: Apache-2.0
"""Adaptive learning rates for each layer, around another optimizer."""

from .._library import functions


class LARC:
    """Multiplies the gradient of each parameter by an adaptive rate before `optimizer` steps.

    The rate is `trust_coefficient * |p| / (|g| + weight_decay * |p| + eps)`. With `clip` the rate is limited to the
    group's learning rate (LARC), otherwise multiplied by it (LARS). Weight decay is added to the gradient first, so
    `optimizer` steps without weight decay. All other attributes are those of `optimizer`.
    """

    def __init__(self, optimizer, trust_coefficient=0.02, clip=True, eps=1e-8):
        self.optim = optimizer
        self.trust_coefficient = trust_coefficient
        self.eps = eps
        self.clip = clip

    def __getattr__(self, name):
        if name == "optim":  # not set yet, as during a copy
            raise AttributeError(name)
        return getattr(self.optim, name)

    def __repr__(self):
        return repr(self.optim)

    def zero_grad(self, *args, **kwargs):
        """Drops the gradients, as the optimizer does."""
        self.optim.zero_grad(*args, **kwargs)

    def add_param_group(self, group):
        """Adds a group of parameters to the optimizer."""
        self.optim.add_param_group(group)

    def step(self):
        """Adapts the gradients in place, then steps. Takes no closure: the gradients must exist before the step."""
        decays = [group.get("weight_decay", 0) for group in self.optim.param_groups]
        for group, decay in zip(self.optim.param_groups, decays):
            parameters = [parameter for parameter in group["params"] if parameter.grad is not None]
            rate, weight = float(group["lr"]), float(decay)
            functions.adapt_gradients(parameters, self.trust_coefficient, self.clip, self.eps, rate, weight)
            if "weight_decay" in group:
                group["weight_decay"] = 0
        try:
            return self.optim.step()
        finally:
            for group, decay in zip(self.optim.param_groups, decays):
                if "weight_decay" in group:
                    group["weight_decay"] = decay
