# SPDX-License-Identifier: Apache-2.0
"""Writes vectors.txt for judges_test.cpp: matrices, and what ml_dtypes and torchao make of them.

Run this only if a format changes; tests read vectors.txt:
    pip install --target judges ml_dtypes==0.6.0 numpy==2.4.6 torchao==0.18.0
    PYTHONPATH=judges python make_vectors.py > vectors.txt      # a Python that has torch, 2.11.0 here

A case has five lines. Numbers are written as bits in hex: floats have 8 digits, bfloat16 has 4, elements and scales of
8 bits have 2.
    case <name> <direction> <rows> <columns> <amax of the tensor, or ->
    operand <as in a recipe file>
    from <matrix>
    scales <kind> <one for each block>      # kind: multiplier (float, inverse of the scale), e8m0, e4m3 <tensor scale>
    codes <one for each element>
"""
import ml_dtypes
import numpy as np
import torch
import torchao
from torchao.float8.float8_utils import amax_to_scale, to_fp8_saturated
from torchao.prototype.mx_formats.config import ScaleCalculationMode
from torchao.prototype.mx_formats.kernels import unpack_uint4
from torchao.prototype.mx_formats.mx_tensor import to_dtype, to_mx
from torchao.prototype.mx_formats.nvfp4_tensor import nvfp4_quantize, per_tensor_amax_to_scale

DICE = np.random.default_rng(20251124)
TORCH = {"fp8e4m3": torch.float8_e4m3fn, "fp8e5m2": torch.float8_e5m2}
NUMPY = {"fp8e4m3": ml_dtypes.float8_e4m3fn, "fp8e5m2": ml_dtypes.float8_e5m2, "fp4e2m1": ml_dtypes.float4_e2m1fn}
LARGEST = {"fp8e4m3": 448.0, "fp8e5m2": 57344.0, "fp4e2m1": 6.0}
NONFINITE = (np.inf, -np.inf, np.nan)


def bits(array):
    array = np.ascontiguousarray(array)
    return "".join(f"{value:0{2 * array.itemsize}x}" for value in array.view(f"u{array.itemsize}").ravel())


def matrix_bits(values):
    """Returns the bits of float values, as bfloat16 if that is exact."""
    words = values.view("u4")
    return bits((words >> 16).astype("u2")) if not (words & 0xFFFF).any() else bits(values)


def write(name, direction, operand, values, scales, codes, amax=None):
    rows, columns = values.shape
    of_tensor = "-" if amax is None else bits(np.float32([amax]))
    print(f"case {name} {direction} {rows} {columns} {of_tensor}\noperand {operand}\nfrom {matrix_bits(values)}")
    print(f"scales {scales}\ncodes {bits(codes.astype('u1'))}")


def as_bfloat16(values):
    return values.astype(ml_dtypes.bfloat16).astype(np.float32)


def many_exponents(rows, columns, spread, in_bfloat16=True):
    """Returns normal values whose rows differ greatly in size."""
    values = DICE.standard_normal((rows, columns)) * np.exp2(DICE.integers(-spread, spread + 1, (rows, columns)))
    values = (values * np.exp2(DICE.integers(-20, 20, (rows, 1)))).astype(np.float32)
    return as_bfloat16(values) if in_bfloat16 else values


def special_blocks(width, nonfinite):
    """Returns one row for each kind of unusual block. Each row has two blocks, the second of which is ordinary."""
    usual = DICE.standard_normal(width)
    rows = [np.zeros(width), np.full(width, 0.3), np.full(width, -7.0), usual * 2.0**-130, usual * 2.0**-140,
            usual * 2.0**120, np.where(np.arange(width) == 3, 1.0, 0.0),
            np.where(np.arange(width) % 2, -0.0, 2.0**-149), (np.arange(width) - width // 2) / 16.0, np.where(np.arange(width) == 1, 1e4, usual * 1e-4)]
    for value in NONFINITE if nonfinite else ():
        rows.append(np.where(np.arange(width) == 5, value, usual))
    with np.errstate(over="ignore"):
        pairs = np.array([np.concatenate([row, DICE.standard_normal(width)]) for row in rows])
        return as_bfloat16(pairs.astype(np.float32))


def values_of(element):
    """Returns each value of a type, its neighbours in FP32, and the ties between two values."""
    dtype = NUMPY[element]
    codes = np.arange(16 if element == "fp4e2m1" else 256, dtype="u1")
    own = codes.view(dtype).astype(np.float32)
    own = np.unique(np.abs(own[np.isfinite(own)]))
    ties = (own[1:] + own[:-1]) / 2
    all_of_them = np.concatenate([own, ties, [own[-1] * 1.01, own[-1] * 1.1, own[-1] * 2, 1e30, 1e-30, 2.0**-149]])
    near = [np.nextafter(all_of_them, np.float32(bound)) for bound in (0, np.inf)]
    positive = np.concatenate([all_of_them, *near]).astype(np.float32)
    return np.concatenate([positive, -positive])


def clamped(values, element):
    return np.clip(values, -LARGEST[element], LARGEST[element])


def codes_of(scaled, element):
    return clamped(scaled, element).astype(NUMPY[element]).view("u1")


def casts():
    """Writes cases without a scale: the amax is such that the scale is 1. Judge: ml_dtypes."""
    for element in NUMPY:
        values = values_of(element)
        if element != "fp4e2m1":
            values = np.concatenate([values, np.float32(NONFINITE)])
        values = values[None, :]
        write(f"cast_{element}", "rowwise", f"{element} scale tensor_delayed history 1", values,
              "multiplier " + bits(np.float32([1.0])), codes_of(values, element), LARGEST[element])


def per_tensor():
    """Writes cases of current scaling. Judge: torchao."""
    for element, dtype in TORCH.items():
        for name, values in (("bfloat16", many_exponents(7, 33, 6)), ("float", many_exponents(5, 21, 6, False))):
            values = torch.tensor(values)
            scale = amax_to_scale(values.abs().max(), dtype)
            codes = to_fp8_saturated(values * scale, dtype).view(torch.uint8).numpy()
            write(f"tensor_{element}_{name}", "rowwise", f"{element} scale tensor", values.numpy(),
                  "multiplier " + bits(scale.numpy().reshape(1)), codes)


def blocks_of(values, height, width):
    for row in range(0, values.shape[0], height):
        for column in range(0, values.shape[1], width):
            yield np.s_[row:row + height, column:column + width]


def blockwise():
    """Writes cases of FP32 and power-of-two scales. Judge: torchao, block by block."""
    shapes = (("1x128", "rowwise", (1, 128), (5, 300)), ("1x128", "columnwise", (128, 1), (150, 9)),
              ("128x128", "rowwise", (128, 128), (10, 150)), ("128x128", "columnwise", (128, 128), (140, 7)))
    for kind, is_power in (("block_power_of_two", True), ("block_fp32", False)):
        for shape, direction, (height, width), size in shapes:
            values = many_exponents(*size, 4)
            values[0, :20] = 0
            codes = np.zeros(size, "u1")
            scales = []
            for block in blocks_of(values, height, width):
                part = torch.tensor(values[block])
                scale = amax_to_scale(part.abs().max(), torch.float8_e4m3fn, is_power)
                codes[block] = to_fp8_saturated(part * scale, torch.float8_e4m3fn).view(torch.uint8).numpy()
                scales.append(scale.numpy())
            write(f"{kind}_{shape}_{direction}", direction, f"fp8e4m3 scale {kind} block {shape}", values,
                  "multiplier " + bits(np.float32(scales)), codes)


def padded(values, width):
    return np.pad(values, ((0, 0), (0, -values.shape[1] % width)))


def mx(values, element):
    """Quantizes rows with torchao's MX. Returns scales and codes without the padding."""
    whole = torch.tensor(padded(values, 32))
    scale, codes = to_mx(whole, TORCH[element], 32, ScaleCalculationMode.RCEIL)
    return scale.view(torch.uint8).numpy(), codes.view(torch.uint8).numpy()[:, :values.shape[1]]


def mxfp8():
    for element in TORCH:
        operand = f"{element} scale block_e8m0 block 1x32"
        for name, values in (("special", special_blocks(32, True)), ("many", many_exponents(6, 85, 6)),
                             ("float", many_exponents(4, 64, 3, False))):
            scales, codes = mx(values, element)
            write(f"mx_{element}_{name}", "rowwise", operand, values, "e8m0 " + bits(scales), codes)
        values = many_exponents(50, 6, 6)
        scales, codes = mx(np.ascontiguousarray(values.T), element)
        write(f"mx_{element}_columns", "columnwise", operand, values, "e8m0 " + bits(scales.T), codes.T)


def nv(values, scale):
    whole = torch.tensor(padded(values, 16))
    scales, packed = nvfp4_quantize(whole, 16, torch.tensor(scale))
    codes = unpack_uint4(packed).reshape(whole.shape).numpy()
    return scales.view(torch.uint8).numpy().reshape(whole.shape[0], -1), codes[:, :values.shape[1]]


def nvfp4():
    operand = "fp4e2m1 scale block_e4m3 block 1x16"
    special = special_blocks(16, True)
    near = special[~np.any(np.isfinite(special) & (np.abs(special) > 1e6), axis=1)]
    for name, values in (("special", special), ("near", near), ("many", many_exponents(9, 70, 2)),
                         ("normal", as_bfloat16(DICE.standard_normal((8, 64)).astype(np.float32))),
                         ("float", many_exponents(4, 48, 1, False)), ("columns", many_exponents(40, 7, 2))):
        amax = np.max(np.abs(values[np.isfinite(values)]))
        scale = per_tensor_amax_to_scale(torch.tensor(amax)).numpy()
        is_columnwise = name == "columns"
        scales, codes = nv(np.ascontiguousarray(values.T) if is_columnwise else values, scale)
        if is_columnwise:
            scales, codes = scales.T, codes.T
        write(f"nv_{name}", "columnwise" if is_columnwise else "rowwise", operand, values,
              f"e4m3 {bits(scale.reshape(1))} {bits(scales)}", codes, amax)


def nvfp4_squares():
    """Writes cases with square blocks. Judge: ml_dtypes for both roundings, as torchao has no squares."""
    for direction, size in (("rowwise", (20, 40)), ("columnwise", (35, 18))):
        values = many_exponents(*size, 2)
        amax = np.max(np.abs(values))
        scale = per_tensor_amax_to_scale(torch.tensor(amax)).numpy()
        scales, codes = [], np.zeros(size, "u1")
        for block in blocks_of(values, 16, 16):
            wanted = np.max(np.abs(values[block])) / np.float32(6) / scale
            own = np.clip(wanted, np.float32(2**-6), np.float32(448)).astype(ml_dtypes.float8_e4m3fn)
            multiplier = np.float32(1) / scale / own.astype(np.float32)
            codes[block] = codes_of(values[block] * multiplier, "fp4e2m1")
            scales.append(own)
        write(f"nv_squares_{direction}", direction, "fp4e2m1 scale block_e4m3 block 16x16", values,
              f"e4m3 {bits(scale.reshape(1))} {bits(np.array(scales))}", codes, amax)


def check_torchao_gives_back_what_the_test_does():
    """Checks that torchao dequantizes an MX value to its code times 2^(scale - 127), as judges_test.cpp computes it."""
    values = torch.tensor(many_exponents(4, 64, 6))
    scale, codes = to_mx(values, torch.float8_e4m3fn, 32, ScaleCalculationMode.RCEIL)
    powers = torch.exp2(scale.view(torch.uint8).to(torch.float32) - 127).repeat_interleave(32, 1)
    assert torch.equal(to_dtype(codes, scale, torch.float8_e4m3fn, 32, torch.float32), codes.to(torch.float32) * powers)


print(f"# Made by make_vectors.py: torch {torch.__version__}, torchao {torchao.__version__}, ml_dtypes "
      f"{ml_dtypes.__version__}, numpy {np.__version__}")
check_torchao_gives_back_what_the_test_does()
casts()
per_tensor()
blockwise()
mxfp8()
nvfp4()
nvfp4_squares()
