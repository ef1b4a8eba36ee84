// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "precision/tape/replay.h"
#include "precision/tape/tape.h"
#include "profiler/gradient_impact/cotangent_errors.h"
#include "profiler/torch_hooks/followed_call.h"
#include "reports/records/gradient_impact.h"

namespace ampprof::profiler {

struct BackwardRoot;

/// Holds what a finished substep says of the errors of its gradients.
struct StepGradients {
  std::optional<StepDecrease> decrease{};
  std::vector<GradientImpact> impacts{};
  std::vector<GradientError> errors{};
  std::string why_ranking_only{};  ///< why the derivative of the update is not known; "" where it is
  std::string why_not{};  ///< why nothing was found; "" where something was, or nothing was rounded
};

/// Tells what is known of a program's parameters.
struct KnownParameters {
  std::function<at::Tensor(const at::Tensor& parameter)> master_of;
  std::function<std::string(const at::Tensor& parameter)> name_of;
};

/// Says how a substep is looked at.
struct TapeOptions {
  at::ScalarType precision = at::kFloat;  ///< of the extra passes
  std::int64_t error_bytes = 0;           ///< that errors may take
  bool is_what_if = false;                ///< the run's own gradients are exact
};

/// The gradients of parameters in the substep that was finished last, by name.
using GradientsBefore = std::map<std::string, at::Tensor>;

/// One substep: its forward and its update on tapes, and the errors of its backward calls, until it is finished.
/// Thread-safe; calls, passes and finish() come in the program's order.
class TapedStep : public std::enable_shared_from_this<TapedStep> {
 public:
  TapedStep(std::int64_t substep, const TapeOptions& options, KnownParameters parameters);
  ~TapedStep();

  std::int64_t substep() const { return substep_; }

  /// Returns who tapes a call outside of backward that begins now; null where nobody needs to.
  LeafTaper* taper();

  // Backward passes of losses.
  /// `scale`: what the loss was multiplied by.
  void backward_begun(const std::vector<BackwardRoot>& roots, double scale);
  /// The node that runs made this output in a call: off by `error`, undefined where by nothing.
  void backward_call(const void* node, std::int64_t call_site, const at::Tensor& output, const at::Tensor& error,
                     c10::ArrayRef<c10::IValue> arguments);
  void backward_ended();

  /// Returns whether every parameter that has a gradient was written since.
  bool is_updated() const;
  /// Takes the extra passes, once, after the update. `gradients_before` becomes that of this substep.
  StepGradients finish(GradientsBefore& gradients_before);

 private:
  class Taper;

  at::Tensor weight_of(std::size_t input) const;
  at::Tensor gradient_of_run(std::size_t input) const;
  bool is_written(std::size_t input) const;
  std::string why_not() const;
  void find(StepGradients& found, GradientsBefore& gradients_before);
  /// Returns along what each input moves; nothing where it is not known how the update depends on gradients.
  std::vector<at::Tensor> directions(const std::vector<at::Tensor>& after, std::string& why_not) const;
  void add_forward_errors(StepGradients& found, const std::vector<at::Tensor>& direction,
                          const std::vector<at::Tensor>& exact) const;
  void add_errors_of_parameters(StepGradients& found, const std::vector<at::Tensor>& exact,
                                GradientsBefore& gradients_before) const;

  const std::int64_t substep_;
  const TapeOptions options_;
  const KnownParameters parameters_;
  mutable std::mutex mutex_;
  tape::Tape forward_;
  std::optional<tape::Tape> update_;
  std::unique_ptr<Taper> taper_;
  CotangentErrors errors_;
  std::vector<tape::Root> roots_;
  std::vector<std::size_t> with_gradient_;  ///< inputs of forward_, in the order of the inputs of update_
  double scale_ = 1.0;                      ///< of the roots' losses
  bool in_backward_ = false;
};

}  // namespace ampprof::profiler
