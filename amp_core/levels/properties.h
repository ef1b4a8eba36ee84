// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "amp_core/levels/error.h"
#include "amp_core/levels/level.h"
#include "amp_core/levels/model_type.h"

/// Options of a program, and the properties that they resolve to. Uses no tensors.
namespace amp {

/// A fixed or a dynamic loss scale. Converts from the forms in Apex scripts: "dynamic", "128.0", 128.0. Throws Error
/// for another text.
struct LossScale {
  std::optional<double> fixed = std::nullopt;  ///< empty if dynamic

  LossScale() = default;
  LossScale(double scale);             // NOLINT(google-explicit-constructor)
  LossScale(const char* text);         // NOLINT(google-explicit-constructor)
  LossScale(const std::string& text);  // NOLINT(google-explicit-constructor)

  bool is_dynamic() const { return !fixed; }
  bool operator==(const LossScale&) const = default;
};

/// A bool that may also be written as on Apex's command lines: "True" or "False".
struct Switch {
  bool on = false;

  Switch(bool value) : on(value) {}  // NOLINT(google-explicit-constructor)
  Switch(const char* text);          // NOLINT(google-explicit-constructor)
  Switch(const std::string& text);   // NOLINT(google-explicit-constructor)
};

/// Options of initialize(). An empty option takes the level's default.
struct Options {
  std::string opt_level = "O1";  ///< "O0" to "O3"
  bool enabled = true;           ///< false: amp does nothing, and scale_loss() and step() only call the program
  /// Type of the model's parameters and inputs. Must not be a reduced type at O1. With BFloat16 the loss scale is 1 by
  /// default, since BFloat16 has FP32's range.
  std::optional<ModelType> cast_model_type = std::nullopt;
  std::optional<bool> patch_torch_functions = std::nullopt;              ///< O1 only
  std::optional<ReducedType> patch_torch_functions_type = std::nullopt;  ///< O1 only; BFloat16: loss scale 1 by default
  std::optional<std::string> cast_list = std::nullopt;  ///< O1 only: "apex", or "native" for LibTorch's own
  /// O0 and O1 only: a recipe, by name ("mxfp8") or file, that rounds the operands of matmuls and convolutions, in
  /// addition to the level's casts.
  std::optional<std::string> recipe = std::nullopt;
  std::optional<Switch> keep_batchnorm_fp32 = std::nullopt;    ///< not at O1; no effect on an FP32 model
  std::optional<bool> master_weights = std::nullopt;           ///< not at O1; no effect on an FP32 model
  std::optional<LossScale> loss_scale = std::nullopt;          ///< a number or "dynamic"
  std::optional<ModelType> cast_model_outputs = std::nullopt;  ///< type of the tensors in the result of amp::forward()
  int num_losses = 1;                                          ///< loss ids are 0 to num_losses - 1
  int verbosity = 1;                                           ///< 0 prints nothing
  /// Limits of the loss scale. A static scale that the program chooses must be within them; a level's own static scale
  /// ignores them.
  std::optional<double> min_loss_scale = std::nullopt;
  std::optional<double> max_loss_scale = std::nullopt;  ///< default 2^24
  /// Settings of a dynamic scale; refused where the scale is static. See LossScalerOptions.
  std::optional<double> init_scale = std::nullopt;             ///< default 65536, brought within the limits
  std::optional<double> growth_factor = std::nullopt;          ///< default 2
  std::optional<double> backoff_factor = std::nullopt;         ///< default 0.5
  std::optional<std::int64_t> growth_interval = std::nullopt;  ///< clean backward passes; default 2000
  std::optional<int> hysteresis = std::nullopt;                ///< see LossScalerOptions; default 1
};

/// Options of the scaler of one loss. The defaults are Apex's.
struct LossScalerOptions {
  double initial = 65536.0;
  double growth = 2.0;                           ///< multiplies the scale after growth_interval clean passes
  double backoff = 0.5;                          ///< multiplies the scale at an overflow
  std::int64_t growth_interval = 2000;           ///< clean backward passes in a row
  int hysteresis = 1;                            ///< n: the nth overflow in a row, and each later one, lowers the scale
  std::optional<double> minimum = std::nullopt;  ///< empty: FP32's smallest normal number
  double maximum = 16777216.0;
  bool dynamic = true;

  bool operator==(const LossScalerOptions&) const = default;
};

/// The settings in force. An empty optional means "does not apply at this level".
struct Properties {
  bool enabled = true;
  OptLevel opt_level = OptLevel::O1;
  std::optional<ModelType> cast_model_type = std::nullopt;
  bool patch_torch_functions = false;
  ReducedType patch_torch_functions_type = ReducedType::Float16;
  std::string cast_list = "apex";
  std::string recipe = {};  ///< "": none
  std::optional<bool> keep_batchnorm_fp32 = std::nullopt;
  std::optional<bool> master_weights = std::nullopt;
  LossScale loss_scale = {};
  std::optional<ModelType> cast_model_outputs = std::nullopt;  ///< empty: FP32 if the model is cast
  int num_losses = 1;
  int verbosity = 1;
  LossScalerOptions scaler = {};  ///< for every loss; derived from loss_scale and the limits
  /// Overrides of the program that a forced level refused: one sentence each.
  std::vector<std::string> dropped_overrides = {};

  /// Sets loss_scale and the scaler derived from it.
  void set_loss_scale(const LossScale& scale);

  bool has_master_weights() const { return master_weights.value_or(false); }
  bool keeps_batchnorm() const { return keep_batchnorm_fp32.value_or(false); }
  /// Tells whether model parameters become FP16, BF16 or another reduced type.
  bool has_half_model() const { return cast_model_type && cast_model_type->reduced(); }
  /// Tells whether the reduced type in use needs no loss scale, like BF16.
  bool needs_no_loss_scale() const;

  bool operator==(const Properties&) const = default;
};

/// Returns a level's defaults, as Apex has them.
Properties defaults_of(OptLevel level);

/// Returns the level's defaults with the program's overrides. Throws Error with a sentence that says which options
/// contradict each other and what to do instead.
Properties resolve(const Options& options);

/// Resolves options when the environment forces the level. Overrides that the forced level refuses are dropped, and
/// listed in `dropped_overrides`.
Properties resolve_forced(const Options& options, std::string_view forced_level);

}  // namespace amp
