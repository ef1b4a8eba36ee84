// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/banner.h"

#include <array>
#include <charconv>

namespace amp {
namespace {

constexpr std::array<std::string_view, 4> kDescriptions{
    "Everything in FP32.",
    "Casts at function calls: FP16 where it is fast and safe, FP32 where it is not. The model stays FP32.",
    "FP16 model with FP32 batch norm, FP32 master weights and a dynamic loss scale.",
    "Everything in FP16.",
};

std::string text_of(bool value) { return value ? "True" : "False"; }

std::string text_of(std::optional<bool> value) { return value ? text_of(*value) : "None"; }

std::string text_of(std::optional<ModelType> type) {
  if (!type) return "None";
  if (*type == ModelType::Unchanged) return "False";
  return *type == ModelType::Float16 ? "torch.float16" : "torch.float32";
}

std::string text_of(const LossScale& scale) { return scale.fixed ? scale_text(*scale.fixed) : "dynamic"; }

std::string row(std::string name, const std::string& value) {
  name.resize(22, ' ');
  return name + " : " + value + '\n';
}

std::string table(const Properties& properties) {
  return row("enabled", text_of(properties.enabled)) + row("opt_level", std::string(name_of(properties.opt_level))) +
         row("cast_model_type", text_of(properties.cast_model_type)) +
         row("patch_torch_functions", text_of(properties.patch_torch_functions)) +
         row("keep_batchnorm_fp32", text_of(properties.keep_batchnorm_fp32)) +
         row("master_weights", text_of(properties.master_weights)) + row("loss_scale", text_of(properties.loss_scale));
}

}  // namespace

std::string scale_text(double scale) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), scale, std::chars_format::fixed).ptr;
  std::string text(buffer.data(), end);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string banner(const Properties& in_force) {
  const auto level = in_force.opt_level;
  std::string text = "Selected optimization level " + std::string(name_of(level)) + ":  " +
                     std::string(kDescriptions.at(static_cast<std::size_t>(level))) + "\n\n";
  text += "Defaults for this optimization level are:\n" + table(defaults_of(level));
  text += "Processing user overrides (additional kwargs that are not None)...\n";
  for (const auto& dropped : in_force.dropped_overrides) {
    text += "Dropped, since AMP_OPT_LEVEL forces " + std::string(name_of(level)) + ": " + dropped + '\n';
  }
  return text + "After processing overrides, optimization options are:\n" + table(in_force);
}

std::string skip_message(int loss_id, double reduced_scale) {
  return "Gradient overflow. Skipping step, loss scaler " + std::to_string(loss_id) + " reducing loss scale to " +
         scale_text(reduced_scale);
}

}  // namespace amp
