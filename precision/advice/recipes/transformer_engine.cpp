// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
constexpr std::string_view kTemplate =
#include "transformer_engine.py.in.inc"
    ;

/// The two quantized copies of a tensor.
struct TensorSlots {
  std::string_view name;
  Slot rowwise;
  Slot columnwise;
};

constexpr TensorSlots kTensors[]{{"input", Slot::FpropInput, Slot::WgradInput},
                                 {"weight", Slot::FpropWeight, Slot::DgradWeight},
                                 {"grad_output", Slot::DgradGradOutput, Slot::WgradGradOutput}};

std::string_view python(bool value) { return value ? "True" : "False"; }

/// Returns the quantizer of a copy in FP8; empty if Transformer Engine has none.
std::optional<std::string> fp8(const Operand& operand, const Recipe& recipe) {
  if (operand.rounding != Rounding::NearestEven || operand.transform != Transform::None) return std::nullopt;
  const BlockShape block = operand.block;
  const char* const type = operand.element == Element::Float8E5M2 ? "DType.kFloat8E5M2" : "DType.kFloat8E4M3";
  switch (operand.scale) {
    case Scale::Tensor:
      return fmt::format(
          "te.Float8CurrentScalingQuantizer({}, torch.device(\"cuda\"), force_pow_2_scales=False, amax_epsilon=0.0)",
          type);
    case Scale::TensorDelayed:
      return fmt::format("DelayedScalingRequest(fp8_format=Format.{}, amax_history_len={})",
                         recipe[Slot::WgradGradOutput].element == Element::Float8E5M2 ? "HYBRID" : "E4M3",
                         operand.history);
    case Scale::BlockFloat:
    case Scale::BlockPowerOfTwo:
      if (block != BlockShape{1, 128} && block != BlockShape{128, 128}) return std::nullopt;
      return fmt::format(
          "te.Float8BlockQuantizer({}, rowwise=True, columnwise=True, amax_epsilon=0.0, force_pow_2_scales={}, "
          "block_scaling_dim={})",
          type, python(operand.scale == Scale::BlockPowerOfTwo), block.across == 1 ? 1 : 2);
    case Scale::BlockE8M0:
      if (block != BlockShape{1, 32}) return std::nullopt;
      return fmt::format("te.MXFP8Quantizer({})", type);
    default:
      return std::nullopt;
  }
}

/// Returns the quantizer of a copy in FP4; empty if Transformer Engine has none. Only the columnwise copy is
/// transformed.
std::optional<std::string> fp4(const Operand& operand, Direction direction) {
  const BlockShape block = operand.block;
  const bool has_transform = operand.transform == Transform::Hadamard;
  const bool has_blocks = block == BlockShape{1, 16} || block == BlockShape{16, 16};
  if (operand.scale != Scale::BlockE4M3 || !has_blocks || (has_transform && direction == Direction::Rowwise)) {
    return std::nullopt;
  }
  return fmt::format(
      "te.NVFP4Quantizer(DType.kFloat4E2M1, with_rht={0}, with_post_rht_amax={0}, with_2d_quantization={1}, "
      "stochastic_rounding={2})",
      python(has_transform), python(block.across == 16), python(operand.rounding == Rounding::Stochastic));
}

std::string quantizer_of(const Recipe& recipe, Slot slot) {
  const Operand& operand = recipe[slot];
  std::optional<std::string> text;
  if (operand.element == Element::Float4E2M1) {
    text = fp4(operand, info_of(slot).direction);
  } else if (needs_scale(operand.element)) {
    text = fp8(operand, recipe);
  } else if (operand.scale == Scale::None) {
    text = "te.IdentityQuantizer()";
  }
  if (text) return *text;
  throw amp::Error(fmt::format("Transformer Engine {} has no quantizer for {} of {} that rounds as {} does.", kVersion,
                               info_of(slot).tensor, info_of(slot).matmul, recipe.name));
}

/// Tells whether the quantizer of the columnwise copy also writes the rowwise copy, in one pass.
bool one_for_both(const Recipe& recipe, const TensorSlots& tensor) {
  Operand rowwise = recipe[tensor.rowwise];
  rowwise.transform = recipe[tensor.columnwise].transform;
  return rowwise == recipe[tensor.columnwise];
}

/// Returns the Python function that quantizes tensors to a format: rowwise, columnwise or both.
std::string maker_of(const Recipe& recipe, std::size_t number) {
  std::string text =
      fmt::format("def _format_{}(tensor, direction):\n    \"\"\"{}: {}.\"\"\"\n", number, recipe.name, recipe.summary);
  for (const TensorSlots& tensor : kTensors) {
    const std::string rowwise = quantizer_of(recipe, tensor.rowwise);
    const std::string columnwise = quantizer_of(recipe, tensor.columnwise);
    text += fmt::format("    if tensor == \"{}\":\n", tensor.name);
    if (is_delayed(recipe) && !one_for_both(recipe, tensor)) {
      throw amp::Error(
          fmt::format("Transformer Engine {} keeps one scale for both copies of {}, but {} has two scales.", kVersion,
                      tensor.name, recipe.name));
    }
    if (rowwise != columnwise) {
      text += fmt::format("        if direction == \"rowwise\":\n            return {}\n", rowwise);
    }
    text += fmt::format("        return {}\n", columnwise);
  }
  return text + "    raise ValueError(tensor)\n";
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter;
  }
  return result + '"';
}

std::string rules_of(const std::vector<ModuleFormats>& rules) {
  std::string text;
  for (const ModuleFormats& rule : rules) {
    OfMatmuls<std::string> formats = rule.formats;
    for (std::string& format : formats) {
      if (format.empty()) format = formats[formats[kFprop].empty() ? kWgrad : kFprop];  // never used: no such matmul
    }
    text += fmt::format("    ({}, ({}, {}, {})),\n", quoted(rule.pattern), quoted(formats[kFprop]),
                        quoted(formats[kDgrad]), quoted(formats[kWgrad]));
  }
  return text;
}

/// Returns BF16 and the formats that the rules name.
std::vector<Recipe> used_formats(const RecipeAdvice& advice, const std::vector<ModuleFormats>& rules) {
  std::vector<Recipe> used{advice.formats.front()};
  for (const Recipe& recipe : advice.formats) {
    const auto names = [&](const ModuleFormats& rule) {
      return std::ranges::find(rule.formats, recipe.name) != rule.formats.end();
    };
    if (recipe.name != used.front().name && std::ranges::any_of(rules, names)) used.push_back(recipe);
  }
  return used;
}

/// Replaces names such as @GPU@ in the template by their values.
std::string filled(std::string_view text, const std::map<std::string_view, std::string>& values) {
  std::string result;
  bool is_name = false;
  for (std::size_t begin = 0; begin <= text.size(); is_name = !is_name) {
    const std::size_t end = std::min(text.find('@', begin), text.size());
    const std::string_view piece = text.substr(begin, end - begin);
    result += is_name ? values.at(piece) : piece;
    begin = end + 1;
  }
  return result;
}

}  // namespace

std::string transformer_engine_code(const RecipeAdvice& advice) {
  const std::vector<ModuleFormats> rules = module_formats(advice);
  std::vector<std::string> makers;
  std::vector<std::string> table;
  std::vector<std::string> both;
  for (const Recipe& recipe : used_formats(advice, rules)) {
    makers.push_back(maker_of(recipe, makers.size()));
    table.push_back(fmt::format("{}: _format_{}", quoted(recipe.name), table.size()));
    const auto has_one = [&](const TensorSlots& tensor) { return one_for_both(recipe, tensor); };
    if (std::ranges::all_of(kTensors, has_one)) both.push_back(quoted(recipe.name));
  }
  return filled(kTemplate, {{"VERSION", std::string(kVersion)},
                            {"GPU", advice.gpu},
                            {"RULES", rules_of(rules)},
                            {"FORMATS", fmt::format("{}", fmt::join(makers, "\n\n"))},
                            {"TABLE", fmt::format("{}", fmt::join(table, ", "))},
                            {"BOTH", fmt::format("{}", fmt::join(both, ", "))},
                            {"HIGH_PRECISION", quoted(advice.formats.front().name)}});
}

}  // namespace ampprof::advice
