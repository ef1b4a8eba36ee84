# SPDX-License-Identifier: Apache-2.0
"""Asks a generated factory for the quantizer of every role in a model of Transformer Engine's modules.

The wheel's own Python code makes the modules, their roles and the recipe's state. Only its compiled module is stubbed.
Run: transformer_engine_roles.py FOLDER. FOLDER holds formats.py, and expected.json with each module's formats.
Prints the differences and the number of roles.
"""
import enum
import json
import os
import sys
import types
import warnings


class Numbers(type):
    """A class whose members are distinct numbers, made on request."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(cls, name, len(vars(cls)))
        return getattr(cls, name)


class Stub(types.ModuleType):
    """A module that has any requested attribute."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        setattr(self, name, Numbers(name, (), {}))
        return getattr(self, name)


def numbered(name, members):
    return enum.IntEnum(name, {member: i for i, member in enumerate(members)})


def import_with_stub():
    """Imports transformer_engine.pytorch without its native libraries."""
    import torch

    compiled = Stub("transformer_engine_torch")
    compiled.DType = numbered("DType", ["kByte", "kInt32", "kFloat32", "kFloat16", "kBFloat16", "kFloat8E4M3",
                                        "kFloat8E5M2", "kFloat4E2M1"])
    compiled.NVTE_Fused_Attn_Backend = numbered(
        "NVTE_Fused_Attn_Backend", ["NVTE_No_Backend", "NVTE_F16_arbitrary_seqlen", "NVTE_FP8"])
    os.environ["NVTE_PROJECT_BUILDING"] = "1"  # as in its own build, so that it looks for no library
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import transformer_engine.common
    sys.modules[compiled.__name__] = compiled
    transformer_engine.common.load_framework_extension = lambda framework: None
    torch.cuda.is_available = lambda: True
    torch.cuda.current_device = lambda: "cpu"
    return torch, __import__("transformer_engine.pytorch").pytorch


def model_of(torch, te, names):
    """Returns modules with these paths, inside a wrapper like DistributedDataParallel."""
    model = torch.nn.Module()
    model.module = torch.nn.Module()
    for name in names:
        at = model.module
        *path, last = name.split(".")
        for part in path:
            if not hasattr(at, part):
                at.add_module(part, torch.nn.Module())
            at = getattr(at, part)
        at.add_module(last, te.Linear(32, 32, device="cpu"))
    return model


def described(quantizer):
    """Returns a quantizer's class and settings, except settings of a copy that the quantizer does not make."""
    skipped = {"rowwise_usage", "columnwise_usage", "rht_matrix", "internal", "optimize_for_gemm", "scale", "amax"}
    settings = {key: str(value) for key, value in vars(quantizer).items() if key not in skipped}
    if not quantizer.columnwise_usage:  # only the columnwise copy is transformed
        settings.update({key: "" for key in settings if "rht" in key})
    return type(quantizer).__name__, settings


def shipped(te, format_name, role):
    """Returns the quantizer of Transformer Engine's own recipe for that format."""
    from transformer_engine.pytorch.custom_recipes import quantizer_factories as factories

    return {"bf16": factories.high_precision_factory, "fp8_current": factories.current_scaling_factory,
            "fp8_delayed": factories.delayed_scaling_factory, "fp8_blockwise": factories.float8_block_scaling_factory,
            "mxfp8": factories.mxfp8_factory, "nvfp4": factories.nvfp4_factory}[format_name](role)


READERS = {"input": ("fprop", "wgrad"), "weight": ("fprop", "dgrad"), "grad_output": ("dgrad", "wgrad")}


def faults_of(te, role, made, formats):
    """Yields the faults of a quantizer that the factory made for a role."""
    by_matmul = dict(zip(("fprop", "dgrad", "wgrad"), formats))
    rowwise, columnwise = (by_matmul[matmul] for matmul in READERS[role.tensor_type])
    if "fp8_delayed" in (rowwise, columnwise):
        dtype = te.DType.kFloat8E5M2 if role.tensor_type == "grad_output" else te.DType.kFloat8E4M3
        if type(made).__name__ != "Float8Quantizer" or made.dtype != dtype:
            yield f"{role}: {described(made)}, not delayed scaling in {dtype.name}"
        return
    if rowwise == columnwise:
        wanted = shipped(te, rowwise, role)
        if described(made) != described(wanted):
            yield f"{role}: {described(made)}, not {described(wanted)}"
        return
    if not isinstance(made, te.HybridQuantizer) or made.columnwise_source != "original":
        yield f"{role}: {made} is no hybrid of the original tensor"
        return
    for name, format_name in (("rowwise", rowwise), ("columnwise", columnwise)):
        copy = getattr(made, name + "_quantizer")
        wanted = shipped(te, format_name, role)
        wanted.set_usage(rowwise=name == "rowwise", columnwise=name == "columnwise")
        if described(copy) != described(wanted):
            yield f"{role}: {name} {described(copy)}, not {described(wanted)}"
        if (copy.rowwise_usage, copy.columnwise_usage) != (name == "rowwise", name == "columnwise"):
            yield f"{role}: {name} makes another copy"


def main(folder):
    torch, te = import_with_stub()
    from transformer_engine.common.recipe import CustomRecipe
    from transformer_engine.pytorch.quantization import CustomRecipeState

    sys.path.insert(0, folder)
    import formats

    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        expected = json.load(file)
    model = model_of(torch, te, expected)
    formats.set_names(model)
    recipe = formats.recipe()
    assert isinstance(recipe, CustomRecipe)
    asked = 0
    for path, module in model.named_modules():
        if not isinstance(module, te.Linear):
            continue
        for forward in (True, False):
            count = 3 if forward else 2
            roles = module.get_quantizer_roles(fwd=forward, num_quantizers=count)
            state = CustomRecipeState(recipe, mode="forward" if forward else "backward", num_quantizers=count,
                                      device=torch.device("cpu"), roles=roles)
            for role, made in zip(roles, state.make_quantizers()):
                asked += 1
                if role is None:  # the role of the output, which stays in high precision
                    faults = [] if type(made) is te.IdentityQuantizer else [f"{path}: output {described(made)}"]
                else:
                    faults = list(faults_of(te, role, made, expected[path.removeprefix("module.")]))
                for fault in faults:
                    print(fault)
    stranger = formats.quantizer(te.QuantizerRole("linear", "input", "nobody"))
    attention = formats.quantizer(te.QuantizerRole("dpa", "qkv", next(iter(expected))))
    for made in (stranger, attention):
        if type(made) is not te.IdentityQuantizer:
            print(f"{described(made)} where no rule is")
    layers = te.TransformerLayer(32, 64, 4, device="cpu")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        formats.set_names(layers)
    print("names", layers.layernorm_mlp.name, "warned", any("their rules do nothing" in str(w.message) for w in caught))
    print("asked", asked)


main(sys.argv[1])
