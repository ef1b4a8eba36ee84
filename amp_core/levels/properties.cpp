// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/properties.h"

#include <array>
#include <cmath>
#include <cstdlib>

#include "amp_core/levels/overrides.h"

namespace amp {
namespace {

constexpr std::array<std::string_view, 4> kLevelNames{"O0", "O1", "O2", "O3"};

double parse_scale(const std::string& text) {
  char* end = nullptr;
  const double scale = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0') {
    throw Error("loss_scale \"" + text + "\" is neither \"dynamic\" nor a number.");
  }
  return scale;
}

void check_limits(const Options& options) {
  if (options.num_losses < 1) {
    throw Error("num_losses is " + std::to_string(options.num_losses) + "; it must be at least 1.");
  }
  if (!(options.max_loss_scale > 0)) throw Error("max_loss_scale must be a positive number.");
  if (options.min_loss_scale && !(*options.min_loss_scale <= options.max_loss_scale)) {
    throw Error("min_loss_scale is larger than max_loss_scale: the loss scale would have no room.");
  }
}

Properties start_from(OptLevel level, const Options& options) {
  check_limits(options);
  Properties properties = defaults_of(level);
  properties.enabled = options.enabled;
  properties.num_losses = options.num_losses;
  properties.verbosity = options.verbosity;
  properties.min_loss_scale = options.min_loss_scale;
  properties.max_loss_scale = options.max_loss_scale;
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

LossScale::LossScale(double scale) : fixed(scale) {
  if (!(scale > 0) || std::isinf(scale)) {
    throw Error("loss_scale must be a positive, finite number or \"dynamic\"; it is " + std::to_string(scale) + ".");
  }
}

LossScale::LossScale(const std::string& text) {
  if (text != "dynamic") *this = LossScale(parse_scale(text));
}

LossScale::LossScale(const char* text) : LossScale(std::string(text)) {}

Properties defaults_of(OptLevel level) {
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
