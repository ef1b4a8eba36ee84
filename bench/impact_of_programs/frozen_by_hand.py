# SPDX-License-Identifier: Apache-2.0
# feature: trainable weights beside a frozen BF16 net, updated by the program without an optimizer
import torch

import frozen

model = frozen.Head()
average = [parameter.detach().clone() for parameter in frozen.trained(model)]


def update(loss):
    model.zero_grad()
    loss.backward()
    for parameter, mean in zip(frozen.trained(model), average):
        parameter.data -= 0.05 * parameter.grad
        with torch.no_grad():
            mean.lerp_(parameter, 0.5)
            parameter.copy_(mean)


frozen.train(model, update)
