# SPDX-License-Identifier: Apache-2.0
"""Models for the programs in this folder. Each is called with a batch and returns the loss."""

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint


def widened(tensor):
    """Returns FP16 as FP32, and FP64 unchanged."""
    return tensor.to(torch.promote_types(tensor.dtype, torch.float32))


class LinearFunction(torch.autograd.Function):
    """A linear layer with its own backward, like fused layers."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return functional.linear(x, weight, bias)

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient.mm(weight), gradient.t().mm(x), gradient.sum(0)


class ProductAndBias(LinearFunction):
    """A linear layer of two ops: the rounding of the first (the matmul) passes through the second (the bias)."""

    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        product = x.mm(weight.t())
        return product + bias.to(product.dtype)


class Marked(torch.autograd.Function):
    """An identity as a custom function, as in quantization layers and gradient scaling."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, gradient):
        return gradient.clone()


class FunctionLinear(nn.Linear):
    function = LinearFunction

    def forward(self, x):
        return self.function.apply(x, self.weight, self.bias)


class MarkedLinear(nn.Linear):
    """Applies one custom function directly after another, with no op between."""

    def forward(self, x):
        return LinearFunction.apply(Marked.apply(x), self.weight, self.bias)


class ProductAndBiasLinear(FunctionLinear):
    function = ProductAndBias


class Mlp(nn.Module):
    def __init__(self, make_linear=nn.Linear, inputs=16, width=64, outputs=8):
        super().__init__()
        self.layers = nn.Sequential(
            make_linear(inputs, width), nn.GELU(), make_linear(width, width), nn.GELU(), make_linear(width, outputs)
        )

    def forward(self, x, y):
        return functional.mse_loss(widened(self.layers(x)), y)

    @staticmethod
    def batch():
        x = torch.randn(32, 16)
        return x, torch.sin(2 * x[:, :8]) + x[:, 8:]


class OneModule(Mlp):
    """An MLP without submodules, whose middle layers are checkpointed."""

    def __init__(self, use_reentrant):
        nn.Module.__init__(self)
        self.use_reentrant = use_reentrant
        self.weights = nn.ParameterList(
            nn.Parameter(torch.randn(after, before) / before**0.5)
            for before, after in [(16, 64), (64, 64), (64, 64), (64, 8)]
        )

    def between(self, x):
        for weight in self.weights[1:-1]:
            x = functional.gelu(functional.linear(x, weight))
        return x

    def forward(self, x, y):
        x = functional.gelu(functional.linear(x, self.weights[0]))
        x = checkpoint(self.between, x, use_reentrant=self.use_reentrant)
        return functional.mse_loss(widened(functional.linear(x, self.weights[-1])), y)


class Cnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2), nn.ReLU())
        self.head = nn.Linear(16 * 16, 4)

    def scores(self, image):
        return self.head(self.features(image).flatten(1))

    def forward(self, image, label):
        return functional.cross_entropy(widened(self.scores(image)), label)

    @staticmethod
    def batch():
        image = torch.randn(32, 1, 12, 12)
        return image, image.unfold(2, 6, 6).unfold(3, 6, 6).mean((4, 5)).flatten(1).argmax(1)


class Block(nn.Module):
    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.before_attention, self.before_layers = nn.LayerNorm(width), nn.LayerNorm(width)
        self.query_key_value, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.layers = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def attention(self, x):
        parts = self.query_key_value(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        return self.out(functional.scaled_dot_product_attention(*parts).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attention(self.before_attention(x))
        return x + self.layers(self.before_layers(x))


class Transformer(nn.Module):
    """A transformer. Checkpoints its blocks unless `use_reentrant` is None."""

    def __init__(self, use_reentrant=None):
        super().__init__()
        self.use_reentrant = use_reentrant
        self.inputs, self.head = nn.Linear(8, 32), nn.Linear(32, 4)
        self.blocks = nn.ModuleList(Block() for _ in range(3))

    def forward(self, x, y):
        x = self.inputs(x)
        for block in self.blocks:
            x = block(x) if self.use_reentrant is None else checkpoint(block, x, use_reentrant=self.use_reentrant)
        return functional.mse_loss(widened(self.head(x)), y)

    @staticmethod
    def batch():
        x = torch.randn(8, 10, 8)
        return x, x[..., :4] * x[..., 4:] + x.mean(1, keepdim=True)[..., :4]
