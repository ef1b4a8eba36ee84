// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/properties.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "amp_core/levels/overrides.h"
#include "amp_core/loss_scaler.h"

namespace amp {
namespace {

constexpr std::array<std::string_view, 4> kLevelNames{"O0", "O1", "O2", "O3"};

double parse_scale(const std::string& text) {
  double scale = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, scale);
  if (error == std::errc() && stopped == end) return scale;
  throw Error("loss_scale \"" + text + "\" is neither \"dynamic\" nor a number that fits.");
}

/// What no level can allow.
void check_values(const Options& options) {
  if (options.num_losses < 1) {
    throw Error("num_losses is " + std::to_string(options.num_losses) +
                ". There must be at least one loss to scale: use num_losses = 1, or leave it out.");
  }
  if (options.verbosity < 0) throw Error("verbosity is negative. Use 0 to print nothing, 1 or 2 to print.");
  if (options.cast_list && *options.cast_list != "apex" && *options.cast_list != "native") {
    throw Error("cast_list \"" + *options.cast_list + "\" does not exist. The lists are \"apex\" and \"native\".");
  }
  // Settings that a level drops must make sense all the same.
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
  properties.set_loss_scale(properties.loss_scale);  // the limits have moved
  return properties;
}

}  // namespace

OptLevel opt_level_from(std::string_view text) {
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (text == kLevelNames.at(i)) return static_cast<OptLevel>(i);
  }
  throw Error("Unexpected optimization level \"" + std::string(text) +
              "\". The levels are O0, O1, O2 and O3; the prefix is the letter O, not the number zero.");
}

std::string_view name_of(OptLevel level) { return kLevelNames.at(static_cast<std::size_t>(level)); }

LossScale::LossScale(double scale) : fixed(scale) { check_scaler_options({.initial = scale, .dynamic = false}); }

LossScale::LossScale(const std::string& text) {
  if (text != "dynamic") *this = LossScale(parse_scale(text));
}

LossScale::LossScale(const char* text) : LossScale(std::string(text)) {}

Switch::Switch(const std::string& text) : on(text == "True") {
  if (text != "True" && text != "False") {
    throw Error("\"" + text + "\" is neither \"True\" nor \"False\"; write one of them, or a bool.");
  }
}

Switch::Switch(const char* text) : Switch(std::string(text)) {}

void Properties::set_loss_scale(const LossScale& scale) {
  loss_scale = scale;
  scaler.dynamic = scale.is_dynamic();
  const double start = std::clamp(LossScalerOptions{}.initial, scaler.minimum.value_or(0), scaler.maximum);
  scaler.initial = scale.fixed.value_or(start);
}

namespace {

Properties base_of(OptLevel level) {
  switch (level) {
    case OptLevel::O0:
      return {.opt_level = level, .cast_model_type = ModelType::Float32, .master_weights = false, .loss_scale = 1.0};
    case OptLevel::O1:
      return {.opt_level = level, .patch_torch_functions = true, .loss_scale = "dynamic"};
    case OptLevel::O2:
      return {.opt_level = level,
              .cast_model_type = ModelType::Float16,
              .keep_batchnorm_fp32 = true,
              .master_weights = true,
              .loss_scale = "dynamic"};
    case OptLevel::O3:
      return {.opt_level = level,
              .cast_model_type = ModelType::Float16,
              .keep_batchnorm_fp32 = false,
              .master_weights = false,
              .loss_scale = 1.0};
  }
  throw Error("an opt level that does not exist");
}

}  // namespace

Properties defaults_of(OptLevel level) {
  Properties properties = base_of(level);
  properties.set_loss_scale(properties.loss_scale);
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
