// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/banner.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace amp {
namespace {

std::string text_of(bool value) { return value ? "True" : "False"; }

std::string text_of(std::optional<bool> value) { return value ? text_of(*value) : "None"; }

std::string text_of(ReducedType type) { return std::string(info_of(type).torch_name); }

std::string text_of(std::optional<ModelType> type) {
  if (!type) return "None";
  if (const auto reduced = type->reduced()) return text_of(*reduced);
  return *type == ModelType::Float32 ? "torch.float32" : "False";
}

std::string text_of(std::optional<double> value) { return value ? scale_text(*value) : "None"; }

std::string text_of(const LossScale& scale) { return scale.fixed ? scale_text(*scale.fixed) : "dynamic"; }

/// Formats a row as Apex does, but does not cut long names.
std::string row(std::string name, const std::string& value) {
  name.resize(std::max<std::size_t>(name.size(), 22), ' ');
  return name + " : " + value + '\n';
}

using Rows = std::vector<std::pair<std::string, std::string>>;

/// Returns the rows of Apex's table.
Rows apex_rows(const Properties& properties) {
  return {{"enabled", text_of(properties.enabled)},
          {"opt_level", std::string(name_of(properties.opt_level))},
          {"cast_model_type", text_of(properties.cast_model_type)},
          {"patch_torch_functions", text_of(properties.patch_torch_functions)},
          {"keep_batchnorm_fp32", text_of(properties.keep_batchnorm_fp32)},
          {"master_weights", text_of(properties.master_weights)},
          {"loss_scale", text_of(properties.loss_scale)}};
}

std::string table(const Properties& properties) {
  std::string text;
  for (const auto& [name, value] : apex_rows(properties)) text += row(name, value);
  return text;
}

/// Returns a row for a setting that Apex lacks; "" if the setting has its default.
template <class Value, class Text>
std::string row_if_changed(const char* name, const Value& value, const Value& by_default, Text&& text) {
  return value == by_default ? "" : row(name, text(value));
}

std::string further_rows(const Properties& in_force) {
  const Properties plain = defaults_of(in_force.opt_level);
  const auto text = [](const auto& value) { return text_of(value); };
  const auto as_is = [](const std::string& value) { return value; };
  const auto number = [](auto value) { return std::to_string(value); };
  std::string rows = row_if_changed("patch_torch_functions_type", in_force.patch_torch_functions_type,
                                    plain.patch_torch_functions_type, text) +
                     row_if_changed("cast_list", in_force.cast_list, plain.cast_list, as_is) +
                     row_if_changed("recipe", in_force.recipe, plain.recipe, as_is) +
                     row_if_changed("cast_model_outputs", in_force.cast_model_outputs, plain.cast_model_outputs, text) +
                     row_if_changed("num_losses", in_force.num_losses, plain.num_losses, number);
  if (!in_force.scaler.dynamic) return rows;
  const LossScalerOptions usual;
  const LossScalerOptions& scaler = in_force.scaler;
  return rows + row_if_changed("min_loss_scale", scaler.minimum, usual.minimum, text) +
         row_if_changed("max_loss_scale", scaler.maximum, usual.maximum, scale_text) +
         row_if_changed("init_scale", scaler.initial, usual.initial, scale_text) +
         row_if_changed("growth_factor", scaler.growth, usual.growth, scale_text) +
         row_if_changed("backoff_factor", scaler.backoff, usual.backoff, scale_text) +
         row_if_changed("growth_interval", scaler.growth_interval, usual.growth_interval, number) +
         row_if_changed("hysteresis", scaler.hysteresis, usual.hysteresis, number);
}

}  // namespace

Rows settings_of(const Properties& properties) {
  if (!properties.enabled) return {{"enabled", text_of(false)}};
  Rows rows = apex_rows(properties);
  rows.emplace_back("patch_torch_functions_type", text_of(properties.patch_torch_functions_type));
  rows.emplace_back("cast_list", properties.cast_list);
  rows.emplace_back("cast_model_outputs", text_of(properties.cast_model_outputs));
  return rows;
}

std::string scale_text(double scale) {
  std::array<char, 512> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), scale, std::chars_format::fixed).ptr;
  std::string text(buffer.data(), end);
  const bool is_whole = text.find_first_not_of("-0123456789") == std::string::npos;
  return is_whole ? text + ".0" : text;
}

std::string banner(const Properties& in_force) {
  const auto level = in_force.opt_level;
  std::string text = "Selected optimization level " + std::string(name_of(level)) + ":  " +
                     std::string(level_of(level).description) + "\n\n";
  text += "Defaults for this optimization level are:\n" + table(defaults_of(level));
  text += "Processing user overrides (additional kwargs that are not None)...\n";
  for (const auto& dropped : in_force.dropped_overrides) {
    text += "Dropped, since AMP_OPT_LEVEL forces " + std::string(name_of(level)) + ": " + dropped + '\n';
  }
  return text + "After processing overrides, optimization options are:\n" + table(in_force) + further_rows(in_force);
}

std::string skip_message(int loss_id, double reduced_scale) {
  return "Gradient overflow.  Skipping step, loss scaler " + std::to_string(loss_id) + " reducing loss scale to " +
         scale_text(reduced_scale);
}

std::string differing_scales_message(int loss_id, double least, double largest) {
  return "Loss scaler " + std::to_string(loss_id) + " has different scales on different ranks, from " +
         scale_text(least) + " to " + scale_text(largest) +
         ", so the mean of the ranks' gradients is meaningless. Load the same amp state on all ranks.";
}

}  // namespace amp
