// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/overrides.h"

#include "amp_core/levels/banner.h"

namespace amp {
namespace {

using Refusal = std::optional<std::string>;

/// Tells whether the level casts at function calls, like O1; the program may have disabled these casts.
bool casts_functions(const Properties& properties) { return level_of(properties.opt_level).patches_functions; }

Refusal cast_model_type(const Options& options, Properties& properties) {
  if (!options.cast_model_type) return {};
  if (casts_functions(properties) && options.cast_model_type->reduced()) {
    return "A reduced cast_model_type does not work at O1: O1 casts the inputs of functions and keeps the "
           "model in FP32. Use O2 or O3 for a half model, or patch_torch_functions_type for O1 in BF16.";
  }
  properties.cast_model_type = options.cast_model_type;
  return {};
}

Refusal patch_torch_functions(const Options& options, Properties& properties) {
  if (!options.patch_torch_functions) return {};
  if (!casts_functions(properties) && *options.patch_torch_functions) {
    return "patch_torch_functions = true works at O1 only: the other levels choose types per model, not per function. "
           "Use O1, or remove it.";
  }
  properties.patch_torch_functions = *options.patch_torch_functions;
  return {};
}

/// Refuses a setting that only affects O1's casts if these casts are off.
Refusal needs_patching(const std::string& name, const Properties& properties) {
  if (properties.patch_torch_functions) return {};
  return name +
         " controls O1's casts, which are off here: it needs O1 with patch_torch_functions = true. Remove it, or use "
         "O1.";
}

Refusal patch_torch_functions_type(const Options& options, Properties& properties) {
  if (!options.patch_torch_functions_type) return {};
  if (auto refusal = needs_patching("patch_torch_functions_type", properties)) return refusal;
  properties.patch_torch_functions_type = *options.patch_torch_functions_type;
  return {};
}

Refusal cast_list(const Options& options, Properties& properties) {
  if (!options.cast_list) return {};
  if (auto refusal = needs_patching("cast_list", properties)) return refusal;
  properties.cast_list = *options.cast_list;
  return {};
}

Refusal recipe(const Options& options, Properties& properties) {
  if (!options.recipe || options.recipe->empty()) return {};
  if (level_of(properties.opt_level).has_half_model()) {
    return "recipe = \"" + *options.recipe + "\" does not work at " + std::string(name_of(properties.opt_level)) +
           ", whose model is half: a recipe rounds the operands of matmuls of an FP32 model. Use O1, for example in "
           "BF16, or O0.";
  }
  properties.recipe = *options.recipe;
  return {};
}

/// Refuses a setting that only affects a half model if the program asks for an FP32 model.
Refusal needs_half_model(const std::string& name, const Options& options) {
  if (options.cast_model_type != ModelType::Float32) return {};
  return name +
         " applies to a half model, but cast_model_type = Float32 asks for an FP32 model. Leave out one of the two.";
}

Refusal keep_batchnorm_fp32(const Options& options, Properties& properties) {
  if (!options.keep_batchnorm_fp32) return {};
  if (casts_functions(properties)) {
    return "keep_batchnorm_fp32 does not apply to O1, which keeps the whole model in FP32, including batch norm. Leave "
           "it out, or use O2.";
  }
  if (auto refusal = needs_half_model("keep_batchnorm_fp32", options)) return refusal;
  properties.keep_batchnorm_fp32 = options.keep_batchnorm_fp32->on;
  return {};
}

Refusal master_weights(const Options& options, Properties& properties) {
  if (!options.master_weights) return {};
  if (casts_functions(properties)) {
    return "master_weights does not apply to O1, which keeps the model's weights in FP32. Leave it out, or use O2.";
  }
  if (*options.master_weights) {
    if (auto refusal = needs_half_model("master_weights = true", options)) return refusal;
  }
  properties.master_weights = options.master_weights;
  return {};
}

Refusal loss_scale(const Options& options, Properties& properties) {
  if (!options.loss_scale) {
    if (properties.needs_no_loss_scale()) properties.set_loss_scale(1.0);
    return {};
  }
  const auto fixed = options.loss_scale->fixed;
  if (fixed && (*fixed > options.max_loss_scale.value_or(*fixed) || *fixed < options.min_loss_scale.value_or(*fixed))) {
    return "loss_scale = " + scale_text(*fixed) +
           " lies outside min_loss_scale and max_loss_scale. A static scale never moves, so leave the limits out, or "
           "choose a scale within them.";
  }
  properties.set_loss_scale(*options.loss_scale);
  return {};
}

Refusal needs_dynamic_scale(const std::string& name, const Properties& properties) {
  if (properties.scaler.dynamic) return {};
  const std::string scale = scale_text(*properties.loss_scale.fixed);
  return name + " is a setting of a dynamic loss scale, but the scale is static here (" + scale +
         "). Leave it out, or set loss_scale = \"dynamic\".";
}

/// Applies one setting of the dynamic scaler: `Given` in Options becomes `Kept` in LossScalerOptions.
template <auto Given, auto Kept>
Refusal scaler_setting(const Options& options, Properties& properties, const char* name) {
  if (!(options.*Given)) return {};
  if (auto refusal = needs_dynamic_scale(name, properties)) return refusal;
  properties.scaler.*Kept = *(options.*Given);
  return {};
}

Refusal init_scale(const Options& options, Properties& properties) {
  return scaler_setting<&Options::init_scale, &LossScalerOptions::initial>(options, properties, "init_scale");
}

Refusal growth_factor(const Options& options, Properties& properties) {
  return scaler_setting<&Options::growth_factor, &LossScalerOptions::growth>(options, properties, "growth_factor");
}

Refusal backoff_factor(const Options& options, Properties& properties) {
  return scaler_setting<&Options::backoff_factor, &LossScalerOptions::backoff>(options, properties, "backoff_factor");
}

Refusal growth_interval(const Options& options, Properties& properties) {
  return scaler_setting<&Options::growth_interval, &LossScalerOptions::growth_interval>(options, properties,
                                                                                        "growth_interval");
}

Refusal hysteresis(const Options& options, Properties& properties) {
  return scaler_setting<&Options::hysteresis, &LossScalerOptions::hysteresis>(options, properties, "hysteresis");
}

Refusal cast_model_outputs(const Options& options, Properties& properties) {
  if (options.cast_model_outputs) properties.cast_model_outputs = *options.cast_model_outputs;
  return {};
}

}  // namespace

const std::array<Override, 14> kOverrides{
    Override{"cast_model_type", cast_model_type},
    Override{"patch_torch_functions", patch_torch_functions},
    Override{"patch_torch_functions_type", patch_torch_functions_type},
    Override{"cast_list", cast_list},
    Override{"recipe", recipe},
    Override{"keep_batchnorm_fp32", keep_batchnorm_fp32},
    Override{"master_weights", master_weights},
    Override{"loss_scale", loss_scale},
    Override{"cast_model_outputs", cast_model_outputs},
    Override{"init_scale", init_scale},
    Override{"growth_factor", growth_factor},
    Override{"backoff_factor", backoff_factor},
    Override{"growth_interval", growth_interval},
    Override{"hysteresis", hysteresis},
};

}  // namespace amp
