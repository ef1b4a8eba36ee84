// SPDX-License-Identifier: Apache-2.0
#include "amp_core/levels/overrides.h"

namespace amp {
namespace {

using Refusal = std::optional<std::string>;

bool is_o1(const Properties& properties) { return properties.opt_level == OptLevel::O1; }

Refusal cast_model_type(const Options& options, Properties& properties) {
  if (!options.cast_model_type) return {};
  if (is_o1(properties) && *options.cast_model_type == ModelType::Float16) {
    return "cast_model_type = Float16 does not go with O1: O1 casts the inputs of functions and keeps the model in "
           "FP32. Use O2 or O3 for a half model.";
  }
  properties.cast_model_type = options.cast_model_type;
  return {};
}

Refusal patch_torch_functions(const Options& options, Properties& properties) {
  if (!options.patch_torch_functions) return {};
  if (!is_o1(properties) && *options.patch_torch_functions) {
    return "patch_torch_functions = true goes with O1 only: the other levels choose types by the model, not by the "
           "function. Use O1, or leave it out.";
  }
  properties.patch_torch_functions = *options.patch_torch_functions;
  return {};
}

Refusal keep_batchnorm_fp32(const Options& options, Properties& properties) {
  if (!options.keep_batchnorm_fp32) return {};
  if (is_o1(properties)) {
    return "keep_batchnorm_fp32 does not apply to O1: all of the model stays FP32 there, batch norm too. Leave it out, "
           "or use O2.";
  }
  properties.keep_batchnorm_fp32 = options.keep_batchnorm_fp32;
  return {};
}

Refusal master_weights(const Options& options, Properties& properties) {
  if (!options.master_weights) return {};
  if (is_o1(properties)) {
    return "master_weights does not apply to O1: the model's weights are FP32 themselves. Leave it out, or use O2.";
  }
  properties.master_weights = options.master_weights;
  return {};
}

Refusal loss_scale(const Options& options, Properties& properties) {
  if (options.loss_scale) properties.loss_scale = *options.loss_scale;
  return {};
}

Refusal cast_model_outputs(const Options& options, Properties& properties) {
  if (options.cast_model_outputs) properties.cast_model_outputs = *options.cast_model_outputs;
  return {};
}

}  // namespace

const std::array<Override, 6> kOverrides{
    Override{"cast_model_type", cast_model_type},
    Override{"patch_torch_functions", patch_torch_functions},
    Override{"keep_batchnorm_fp32", keep_batchnorm_fp32},
    Override{"master_weights", master_weights},
    Override{"loss_scale", loss_scale},
    Override{"cast_model_outputs", cast_model_outputs},
};

}  // namespace amp
