// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "amp_core/levels/error.h"
#include "precision/advice/recipes/format_rules.h"
#include "precision/advice/recipes/group_choices.h"

namespace ampprof::advice {
namespace {

using recipes::BlockShape;
using recipes::Direction;
using recipes::Element;
using recipes::Operand;
using recipes::Recipe;
using recipes::Rounding;
using recipes::Scale;
using recipes::Slot;
using recipes::Transform;

constexpr std::string_view kVersion = "2.20.2";

/// The two copies of a tensor.
struct TensorSlots {
  std::string_view name;
  Slot rowwise;
  Slot columnwise;
};

constexpr TensorSlots kTensors[]{{"input", Slot::FpropInput, Slot::WgradInput},
                                 {"weight", Slot::FpropWeight, Slot::DgradWeight},
                                 {"grad_output", Slot::DgradGradOutput, Slot::WgradGradOutput}};

std::string_view python(bool value) { return value ? "True" : "False"; }

std::string_view type_of(const Operand& operand) {
  return operand.element == Element::Float8E5M2 ? "DType.kFloat8E5M2" : "DType.kFloat8E4M3";
}

bool is_fp8(const Operand& operand) {
  return operand.element == Element::Float8E4M3 || operand.element == Element::Float8E5M2;
}

bool is_nearest(const Operand& operand) {
  return operand.rounding == Rounding::NearestEven && operand.transform == Transform::None;
}

std::string per_tensor(const Operand& operand) {
  return fmt::format(
      "te.Float8CurrentScalingQuantizer({}, torch.device(\"cuda\"), force_pow_2_scales=False, amax_epsilon=0.0)",
      type_of(operand));
}

std::string delayed(const Operand& operand, const Recipe& recipe) {
  const bool is_hybrid = recipe[Slot::WgradGradOutput].element == Element::Float8E5M2;
  return fmt::format("DelayedScalingRequest(fp8_format=Format.{}, amax_history_len={})", is_hybrid ? "HYBRID" : "E4M3",
                     operand.history);
}

std::string blockwise(const Operand& operand) {
  return fmt::format(
      "te.Float8BlockQuantizer({}, rowwise=True, columnwise=True, amax_epsilon=0.0, force_pow_2_scales={}, "
      "block_scaling_dim={})",
      type_of(operand), python(operand.scale == Scale::BlockPowerOfTwo), operand.block.across == 1 ? 1 : 2);
}

/// Transforms are of the columnwise copy alone.
std::string nvfp4(const Operand& operand, bool has_transform) {
  return fmt::format(
      "te.NVFP4Quantizer(DType.kFloat4E2M1, with_rht={0}, with_post_rht_amax={0}, with_2d_quantization={1}, "
      "stochastic_rounding={2})",
      python(has_transform), python(operand.block.across == 16), python(operand.rounding == Rounding::Stochastic));
}

/// Returns the quantizer of one copy, or nothing where Transformer Engine has none.
std::optional<std::string> quantizer(const Operand& operand, Direction direction, const Recipe& recipe) {
  const BlockShape block = operand.block;
  const bool is_plain_fp8 = is_fp8(operand) && is_nearest(operand);
  switch (operand.scale) {
    case Scale::None:
      return needs_scale(operand.element) ? std::nullopt : std::optional<std::string>("te.IdentityQuantizer()");
    case Scale::Tensor:
      return is_plain_fp8 ? std::optional(per_tensor(operand)) : std::nullopt;
    case Scale::TensorDelayed:
      return is_plain_fp8 ? std::optional(delayed(operand, recipe)) : std::nullopt;
    case Scale::BlockFloat:
    case Scale::BlockPowerOfTwo:
      if (!is_plain_fp8 || block.along != 128 || (block.across != 1 && block.across != 128)) return std::nullopt;
      return blockwise(operand);
    case Scale::BlockE8M0:
      if (!is_plain_fp8 || block != BlockShape{1, 32}) return std::nullopt;
      return fmt::format("te.MXFP8Quantizer({})", type_of(operand));
    case Scale::BlockE4M3: {
      const bool has_transform = operand.transform == Transform::Hadamard;
      if (operand.element != Element::Float4E2M1 || block.along != 16 || (block.across != 1 && block.across != 16)) {
        return std::nullopt;
      }
      if (has_transform && direction == Direction::Rowwise) return std::nullopt;
      return nvfp4(operand, has_transform);
    }
  }
  return std::nullopt;
}

std::string quantizer_of(const Recipe& recipe, Slot slot) {
  const auto text = quantizer(recipe[slot], info_of(slot).direction, recipe);
  if (text) return *text;
  throw amp::Error(fmt::format("Transformer Engine {} has no quantizer for {} of {} as {} has it.", kVersion,
                               info_of(slot).tensor, info_of(slot).matmul, recipe.name));
}

/// Whether the quantizer of the columnwise copy makes the rowwise one as well, in one pass.
bool one_for_both(const Recipe& recipe, const TensorSlots& tensor) {
  Operand rowwise = recipe[tensor.rowwise];
  const Operand& columnwise = recipe[tensor.columnwise];
  rowwise.transform = columnwise.transform;
  return rowwise == columnwise;
}

/// A function of a format: what makes its copy of a tensor along rows, columns or both.
std::string maker_of(const Recipe& recipe, std::size_t number) {
  std::string text =
      fmt::format("def _format_{}(tensor, direction):\n    \"\"\"{}: {}.\"\"\"\n", number, recipe.name, recipe.summary);
  for (const TensorSlots& tensor : kTensors) {
    const std::string rowwise = quantizer_of(recipe, tensor.rowwise);
    const std::string columnwise = quantizer_of(recipe, tensor.columnwise);
    text += fmt::format("    if tensor == \"{}\":\n", tensor.name);
    if (is_delayed(recipe) && !one_for_both(recipe, tensor)) {
      throw amp::Error(fmt::format("Transformer Engine {} keeps one scale for both copies of {}, {} has two.", kVersion,
                                   tensor.name, recipe.name));
    }
    if (rowwise != columnwise) {
      text += fmt::format("        if direction == \"rowwise\":\n            return {}\n", rowwise);
    }
    text += fmt::format("        return {}\n", columnwise);
  }
  return text + "    raise ValueError(tensor)\n";
}

bool makes_both(const Recipe& recipe) {
  return std::ranges::all_of(kTensors, [&](const TensorSlots& tensor) { return one_for_both(recipe, tensor); });
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + '"';
}

std::string rules_of(const RecipeAdvice& advice) {
  std::string text =
      "# Module: formats of fprop, dgrad and wgrad. * is any one component; of several rules the last counts.\nRULES = "
      "[\n";
  for (const ModuleFormats& rule : module_formats(advice)) {
    OfMatmuls<std::string> formats = rule.formats;
    for (std::string& format : formats) {
      if (format.empty()) format = formats[formats[kFprop].empty() ? kWgrad : kFprop];  // no such matmul: any will do
    }
    text += fmt::format("    ({}, ({}, {}, {})),\n", quoted(rule.pattern), quoted(formats[kFprop]),
                        quoted(formats[kDgrad]), quoted(formats[kWgrad]));
  }
  return text + "]\n";
}

/// Formats that a rule names, and BF16.
std::vector<Recipe> used_formats(const RecipeAdvice& advice) {
  std::vector<Recipe> used{advice.formats.front()};
  for (const Recipe& recipe : advice.formats) {
    const auto names = [&](const ModuleFormats& rule) {
      return std::ranges::find(rule.formats, recipe.name) != rule.formats.end();
    };
    const auto rules = module_formats(advice);
    if (recipe.name != used.front().name && std::ranges::any_of(rules, names)) used.push_back(recipe);
  }
  return used;
}

constexpr std::string_view kHead =
    R"("""Formats of the matmuls of each layer, for Transformer Engine {version}, whose CustomRecipe is experimental.

Written by ampprof advise, for {gpu}. Before the first step:

    import {module}
    {module}.set_names(model)

and around the forward pass:

    with te.autocast(enabled=True, recipe={module}.recipe()):
        output = model(input)
"""
import re
import warnings

import torch
import transformer_engine.pytorch as te
from transformer_engine.common.recipe import CustomRecipe, Format
from transformer_engine.pytorch import DelayedScalingRequest, DType

)";

constexpr std::string_view kTail = R"(
# Matmuls that read a tensor along its rows, and along its columns.
_READERS = {"input": (0, 2), "weight": (0, 1), "grad_output": (1, 2)}
_WRAPPERS = ("module", "_orig_mod", "_fsdp_wrapped_module", "_checkpoint_wrapped_module")
_PATTERNS = [(re.compile(re.escape(pattern).replace(r"\*", "[^.]+")), formats) for pattern, formats in RULES]


def formats_of(name):
    """Returns the formats of fprop, dgrad and wgrad of a module; all in high precision where no rule names it."""
    found = [formats for pattern, formats in _PATTERNS if pattern.fullmatch(name)]
    return found[-1] if found else (HIGH_PRECISION,) * 3


def quantizer(role):
    """The factory for CustomRecipe: returns the quantizer of a tensor of a layer."""
    is_linear = role is not None and role.module_type in ("linear", "grouped_linear")
    if not is_linear or role.tensor_type not in _READERS:
        return te.IdentityQuantizer()
    formats = formats_of(role.name)
    rowwise, columnwise = (formats[matmul] for matmul in _READERS[role.tensor_type])
    if rowwise == columnwise and rowwise in _BOTH:
        return _FORMATS[rowwise](role.tensor_type, "both")
    return te.HybridQuantizer(
        rowwise_quantizer=_FORMATS[rowwise](role.tensor_type, "rowwise"),
        columnwise_quantizer=_FORMATS[columnwise](role.tensor_type, "columnwise"),
        columnwise_source="original",
    )


def recipe():
    """Returns the recipe for te.autocast."""
    return CustomRecipe(qfactory=quantizer)


def set_names(model):
    """Names each module of Transformer Engine by its path, which the factory tells layers by.

    Call it before the first step. Warns of rules that name no module of the model.
    """
    names = set()
    for path, module in model.named_modules():
        name = ".".join(part for part in path.split(".") if part not in _WRAPPERS)
        if type(module).__module__.startswith("transformer_engine."):
            module.name = name
            names.add(name)
            if hasattr(module, "fc1_weight"):  # LayerNormMLP has two layers
                names.update((f"{name}.fc1", f"{name}.fc2"))
    unused = [rule for (pattern, _), (rule, _) in zip(_PATTERNS, RULES) if not any(map(pattern.fullmatch, names))]
    if unused:
        warnings.warn(f"No module of Transformer Engine has these names, their rules do nothing: {', '.join(unused)}")
)";

std::string head(const RecipeAdvice& advice) {
  std::string text(kHead);
  const std::pair<std::string_view, std::string_view> places[]{
      {"{version}", kVersion}, {"{gpu}", advice.gpu}, {"{module}", "formats"}};
  for (const auto& [place, value] : places) {
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos; at += value.size()) {
      text.replace(at, place.size(), value);
    }
  }
  return text;
}

}  // namespace

std::string transformer_engine_code(const RecipeAdvice& advice) {
  std::string text = head(advice) + rules_of(advice) + '\n';
  std::string table = "_FORMATS = {";
  std::string both;
  const std::vector<Recipe> used = used_formats(advice);
  for (std::size_t i = 0; i < used.size(); ++i) {
    text += '\n' + maker_of(used[i], i) + '\n';
    table += fmt::format("{}{}: _format_{}", i == 0 ? "" : ", ", quoted(used[i].name), i);
    if (makes_both(used[i])) both += (both.empty() ? "" : ", ") + quoted(used[i].name);
  }
  return text + fmt::format("\n{}}}\n_BOTH = ({},)\nHIGH_PRECISION = {}\n", table, both, quoted(used.front().name)) +
         std::string(kTail);
}

}  // namespace ampprof::advice
