// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/properties.h"

#include <algorithm>
#include <charconv>

#include "amp_core/levels/loss_scaler.h"
#include "amp_core/levels/overrides.h"

namespace amp {
namespace {

double parse_scale(const std::string& text) {
  double scale{};
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, scale);
  if (error == std::errc() && stopped == end) return scale;
  throw Error("loss_scale \"" + text + "\" is neither \"dynamic\" nor a number that a double can hold.");
}

/// Throws Error for values that are invalid at every level.
void check_values(const Options& options) {
  if (options.num_losses < 1) {
    throw Error("num_losses is " + std::to_string(options.num_losses) +
                ". There must be at least one loss to scale: use num_losses = 1, or leave it out.");
  }
  if (options.verbosity < 0) throw Error("verbosity is negative. Use 0 to print nothing, 1 or 2 to print.");
  if (options.cast_list && *options.cast_list != "apex" && *options.cast_list != "native") {
    throw Error("cast_list \"" + *options.cast_list + "\" does not exist. The lists are \"apex\" and \"native\".");
  }
  // Settings must be valid even if the level drops them.
  LossScalerOptions scaler;
  scaler.minimum = options.min_loss_scale;
  scaler.maximum = options.max_loss_scale.value_or(scaler.maximum);
  scaler.initial = options.init_scale.value_or(scaler.maximum);
  scaler.growth = options.growth_factor.value_or(scaler.growth);
  scaler.backoff = options.backoff_factor.value_or(scaler.backoff);
  scaler.growth_interval = options.growth_interval.value_or(scaler.growth_interval);
  scaler.hysteresis = options.hysteresis.value_or(scaler.hysteresis);
  check_scaler_options(scaler);
}

Properties start_from(OptLevel level, const Options& options) {
  check_values(options);
  Properties properties = defaults_of(level);
  properties.enabled = options.enabled;
  properties.num_losses = options.num_losses;
  properties.verbosity = options.verbosity;
  properties.scaler.minimum = options.min_loss_scale;
  properties.scaler.maximum = options.max_loss_scale.value_or(properties.scaler.maximum);
  properties.set_loss_scale(properties.loss_scale);  // derives the scaler again from the new limits
  return properties;
}

}  // namespace

LossScale::LossScale(double scale) : fixed(scale) { check_scaler_options({.initial = scale, .dynamic = false}); }

LossScale::LossScale(const std::string& text) {
  if (text != "dynamic") *this = LossScale(parse_scale(text));
}

LossScale::LossScale(const char* text) : LossScale(std::string(text)) {}

Switch::Switch(const std::string& text) : on(text == "True") {
  if (text != "True" && text != "False") {
    throw Error("\"" + text + "\" is neither \"True\" nor \"False\"; pass one of these, or a bool.");
  }
}

Switch::Switch(const char* text) : Switch(std::string(text)) {}

void Properties::set_loss_scale(const LossScale& scale) {
  loss_scale = scale;
  scaler.dynamic = scale.is_dynamic();
  const double usual = LossScalerOptions{}.initial;
  scaler.initial = scale.fixed.value_or(std::min(std::max(usual, scaler.minimum.value_or(usual)), scaler.maximum));
}

bool Properties::needs_no_loss_scale() const {
  const auto needs_none = [](std::optional<ReducedType> type) { return type && !info_of(*type).needs_loss_scale; };
  return (cast_model_type && needs_none(cast_model_type->reduced())) ||
         (patch_torch_functions && needs_none(patch_torch_functions_type));
}

Properties defaults_of(OptLevel level) {
  const Level& defaults = level_of(level);
  Properties properties{.opt_level = level,
                        .cast_model_type = defaults.cast_model_type,
                        .patch_torch_functions = defaults.patches_functions,
                        .keep_batchnorm_fp32 = defaults.keep_batchnorm_fp32,
                        .master_weights = defaults.master_weights};
  properties.set_loss_scale(defaults.loss_scale ? LossScale(*defaults.loss_scale) : LossScale("dynamic"));
  return properties;
}

Properties resolve(const Options& options) {
  Properties properties = start_from(opt_level_from(options.opt_level), options);
  for (const Override& override : kOverrides) {
    if (const auto refusal = override.apply(options, properties)) throw Error(*refusal);
  }
  return properties;
}

Properties resolve_forced(const Options& options, std::string_view forced_level) {
  Properties properties = start_from(opt_level_from(forced_level), options);
  for (const Override& override : kOverrides) {
    if (const auto refusal = override.apply(options, properties)) properties.dropped_overrides.push_back(*refusal);
  }
  return properties;
}

}  // namespace amp
