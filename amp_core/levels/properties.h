// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// What an opt level means, before anything touches a tensor.
namespace amp {

/// Wrong use of the engine: an unknown level, properties that do not go together, an optimizer it does not know.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class OptLevel { O0, O1, O2, O3 };

/// "O0" to "O3", exactly; anything else is refused with a sentence.
OptLevel opt_level_from(std::string_view text);
std::string_view name_of(OptLevel level);

/// What a model's parameters and inputs are cast to. `Unchanged` switches the model cast off at any level.
enum class ModelType { Unchanged, Float32, Float16 };

/// A fixed loss scale or a dynamic one. Converts from what an Apex script writes: "dynamic", "128.0", 128.0.
struct LossScale {
  std::optional<double> fixed = std::nullopt;  ///< empty: dynamic

  LossScale() = default;
  LossScale(double scale);             // NOLINT(google-explicit-constructor)
  LossScale(const char* text);         // NOLINT(google-explicit-constructor)
  LossScale(const std::string& text);  // NOLINT(google-explicit-constructor)

  bool is_dynamic() const { return !fixed; }
  bool operator==(const LossScale&) const = default;
};

/// What a program asks initialize() for. Whatever stays empty is the level's default.
struct Options {
  std::string opt_level = "O1";
  bool enabled = true;  ///< false: initialize() does nothing, scale_loss() and step() pass through
  std::optional<ModelType> cast_model_type = std::nullopt;
  std::optional<bool> patch_torch_functions = std::nullopt;
  std::optional<bool> keep_batchnorm_fp32 = std::nullopt;
  std::optional<bool> master_weights = std::nullopt;
  std::optional<LossScale> loss_scale = std::nullopt;
  std::optional<ModelType> cast_model_outputs = std::nullopt;
  int num_losses = 1;
  int verbosity = 1;  ///< 0 prints nothing
  std::optional<double> min_loss_scale = std::nullopt;
  double max_loss_scale = 16777216.0;
};

/// The settings in force. An empty optional means "does not apply at this level".
struct Properties {
  bool enabled = true;
  OptLevel opt_level = OptLevel::O1;
  std::optional<ModelType> cast_model_type = std::nullopt;
  bool patch_torch_functions = false;
  std::optional<bool> keep_batchnorm_fp32 = std::nullopt;
  std::optional<bool> master_weights = std::nullopt;
  LossScale loss_scale = {};
  std::optional<ModelType> cast_model_outputs = std::nullopt;  ///< empty: FP32 where the model is cast
  int num_losses = 1;
  int verbosity = 1;
  std::optional<double> min_loss_scale = std::nullopt;
  double max_loss_scale = 16777216.0;
  /// Overrides of the program that a level forced from outside refused: one sentence each.
  std::vector<std::string> dropped_overrides = {};

  bool has_master_weights() const { return master_weights.value_or(false); }
  bool keeps_batchnorm() const { return keep_batchnorm_fp32.value_or(false); }
  /// Whether model parameters become half.
  bool has_half_model() const { return cast_model_type == ModelType::Float16; }

  bool operator==(const Properties&) const = default;
};

/// A level's defaults, as Apex has them.
Properties defaults_of(OptLevel level);

/// Defaults of the level with the program's overrides, checked. Throws Error with a sentence that says what does not go
/// together and what to do instead.
Properties resolve(const Options& options);

/// The same where the environment forces the level: overrides that it refuses are dropped and listed, not refused.
Properties resolve_forced(const Options& options, std::string_view forced_level);

}  // namespace amp
