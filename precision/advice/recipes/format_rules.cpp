// SPDX-License-Identifier: Apache-2.0
#include "precision/advice/recipes/format_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "amp_core/policy/cast_rule.h"
#include "amp_core/policy/format_rule.h"
#include "amp_core/policy/module_pattern.h"
#include "reports/text/numbers.h"

namespace ampprof::advice {
namespace {

auto depth_of(const std::string& pattern) { return std::ranges::count(pattern, '.'); }

/// Tells whether a pattern matches the module itself, not only a parent of it.
bool names(const std::string& pattern, const std::string& module) {
  return depth_of(pattern) == depth_of(module) && amp::matches_module(pattern, module);
}

bool is_linear(const GroupAdvice& group) { return group.kind == LayerKind::Linear; }

/// Tells whether a pattern matches only modules of one group.
bool is_of(const std::string& pattern, const GroupAdvice& group, const std::vector<GroupAdvice>& groups) {
  return std::ranges::all_of(groups, [&](const GroupAdvice& other) {
    return &other == &group || std::ranges::none_of(other.modules, [&](const std::string& module) {
      return names(pattern, module) && is_linear(other);
    });
  });
}

/// Returns the op that a rule for modules must name; "" if none is needed. It is needed if the modules that match the
/// pattern call another op, or if the pattern is the name of a function: "linear mxfp8" would apply to all linear
/// layers.
std::string op_to_name(const std::string& pattern, const std::string& op, const std::vector<ModuleOp>& all) {
  const bool calls_another = std::ranges::any_of(
      all, [&](const ModuleOp& other) { return other.op != op && amp::matches_module(pattern, other.module); });
  const bool needs_op = calls_another || pattern.empty() || amp::has_matmuls(pattern);
  return needs_op ? "aten::" + amp::op_name_from(op).base : "";
}

std::vector<ModuleOp> ops_of(const std::vector<GroupAdvice>& groups) {
  std::vector<ModuleOp> all;
  for (const GroupAdvice& group : groups) {
    for (const std::string& module : group.modules) all.push_back({module, group.op});
  }
  return all;
}

std::vector<ModuleOp> ops_of(const std::vector<RecipeLayer>& layers) {
  std::vector<ModuleOp> all;
  for (const RecipeLayer& layer : layers) all.push_back({layer.module, layer.op});
  return all;
}

ModuleFormats rule_of(const std::string& pattern, const GroupAdvice& group, const std::vector<ModuleOp>& all) {
  ModuleFormats rule{.pattern = pattern, .formats = {}, .op = op_to_name(pattern, group.op, all)};
  for (std::size_t m = 0; m < rule.formats.size(); ++m) {
    if (group.matmuls[m]) rule.formats[m] = group.matmuls[m]->format;
  }
  return rule;
}

/// Sort key of a rule. Patterns come before paths, so that the more specific of two rules of one depth comes last.
auto strength_of(const ModuleFormats& rule) {
  return std::pair(depth_of(rule.pattern), -std::ranges::count(rule.pattern, '*'));
}

std::string line(const ModuleFormats& rule, std::string_view matmul, const std::string& format) {
  return to_text(amp::FormatRule{
             .function = rule.op, .matmul = std::string(matmul), .format = format, .module = rule.pattern}) +
         '\n';
}

std::string lines_of(const ModuleFormats& rule) {
  std::string first;
  bool is_one = true;
  for (const std::string& format : rule.formats) {
    if (first.empty()) first = format;
    is_one = is_one && (format.empty() || format == first);
  }
  if (is_one) return line(rule, "", first);
  std::string text;
  for (std::size_t m = 0; m < rule.formats.size(); ++m) {
    if (!rule.formats[m].empty()) text += line(rule, name_of(kMatmuls[m]), rule.formats[m]);
  }
  return text;
}

}  // namespace

std::vector<ModuleFormats> module_formats(const RecipeAdvice& advice) {
  std::vector<ModuleFormats> rules;
  const std::vector<ModuleOp> all = ops_of(advice.groups);
  for (const GroupAdvice& group : advice.groups) {
    if (!is_linear(group)) continue;
    if (is_of(group.pattern, group, advice.groups)) {
      rules.push_back(rule_of(group.pattern, group, all));
      continue;
    }
    for (const std::string& module : group.modules) rules.push_back(rule_of(module, group, all));
  }
  std::erase_if(rules, [](const ModuleFormats& rule) { return rule.pattern.empty(); });
  std::ranges::stable_sort(rules, {}, strength_of);
  return rules;
}

std::string format_line(const std::vector<RecipeLayer>& layers, const ModuleOp& of, std::size_t matmul,
                        const std::string& format) {
  return to_text(amp::FormatRule{.function = op_to_name(of.module, of.op, ops_of(layers)),
                                 .matmul = std::string(name_of(kMatmuls[matmul])),
                                 .format = format,
                                 .module = of.module});
}

std::string policy_file(const RecipeAdvice& advice) {
  std::string text = fmt::format(
      "# Formats of matmuls, by ampprof advise, for {}: {} a step instead of {} in BF16.\n"
      "# Predicted change of the loss {:+.1e}, at most {}; of the loss decrease per step {:+.1e}, at most {}.\n"
      "low_type bf16\n",
      advice.gpu, text::microseconds(advice.total.us), text::microseconds(advice.plain_us), advice.total.loss.mean,
      text::scientific(advice.total.loss.bound()), 0.0 - advice.total.gradient.mean,
      text::scientific(advice.total.gradient.bound()));
  for (const ModuleFormats& rule : module_formats(advice)) text += lines_of(rule);
  return text;
}

}  // namespace ampprof::advice
