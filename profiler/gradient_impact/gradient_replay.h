// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "precision/replay/tape/replay.h"
#include "precision/replay/tape/tape.h"
#include "profiler/gradient_impact/cotangent_errors.h"
#include "profiler/gradient_impact/gradient_errors.h"
#include "profiler/torch_hooks/leaf_calls.h"
#include "reports/records/gradient_impact.h"

namespace ampprof::tensors {
class DeferredReductions;
}

namespace ampprof::profiler {

class RoundedBackward;
struct GradientProduct;
struct BackwardRoot;

/// Holds what a finished segment says of the errors of its gradients, in one run of the report.
struct StepGradients {
  std::size_t run = 0;
  std::optional<StepDecrease> decrease{};
  std::vector<GradientImpact> impacts{};
  std::vector<GradientError> errors{};
  std::string why_ranking_only{};  ///< why the derivative of the update is not known; "" where it is
  bool are_of_many_ranks = false;  ///< the run's gradients are averaged; those in high precision are one rank's
  std::string why_not{};           ///< why no impact was found; "" where one was, or nothing was rounded
};

/// Holds what the next segment wants of a finished one.
struct FinishedStep {
  NamedGradients exact{};     ///< in high precision
  bool lost_a_graph = false;  ///< it could not be run again since it comes through a custom autograd function
};

/// Tells what is known of a program's parameters.
struct KnownParameters {
  std::function<at::Tensor(const at::Tensor& parameter)> master_of{};
  std::function<std::string(const at::Tensor& parameter)> name_of{};
  /// Returns the gradients that parameters have now beside those of the step in exact arithmetic; nothing without that
  /// step. May be null.
  std::function<std::vector<GradientPair>()> beside_exact{};
  /// Returns what this gradient is now in the step in exact arithmetic; undefined without that step, or where the
  /// gradient has no other value there. May be null.
  std::function<at::Tensor(const at::Tensor& gradient)> in_exact{};
};

/// Says how a segment is looked at.
struct TapeOptions {
  at::ScalarType precision = at::kFloat;           ///< of the passes over the tape
  std::int64_t error_bytes = 0;                    ///< that errors may take
  bool is_what_if = false;                         ///< the run's own gradients are exact
  tensors::DeferredReductions* results = nullptr;  ///< where numbers of devices wait; null: nowhere
  /// Calls without gradients are taped too, so that impacts go through custom autograd functions. Their backward may
  /// be another than the derivative of their ops, so impacts are for a ranking alone.
  bool through_functions = false;
  std::int64_t every = 1;  ///< of this many followed segments one is taped, from the first with an update on
  bool tapes_all = true;   ///< of these; else those that are recorded in full
  std::size_t runs = 1;    ///< of the report: recipes whose backward is looked at
};

/// One segment: its forward and its update on tapes, and the errors of its backward calls, until it is finished.
/// Thread-safe; calls, passes and finish() come in the program's order.
class GradientReplay : public std::enable_shared_from_this<GradientReplay> {
 public:
  /// `before`: gradients of the segment that was finished last.
  GradientReplay(std::int64_t segment, const TapeOptions& options, KnownParameters parameters,
                 NamedGradients before = {});
  ~GradientReplay();

  std::int64_t segment() const { return segment_; }

  /// Returns who records the leaf ops of a call outside of backward that begins now; null where nobody needs to.
  LeafObserver* tape_recorder();

  // Backward passes of losses.
  /// `scale`: what the loss was multiplied by.
  void backward_begun(const std::vector<BackwardRoot>& roots, double scale);
  /// The node that runs made this output in a call: off by `error`, undefined where by nothing.
  void backward_call(const void* node, ErrorSource source, const at::Tensor& output, const at::Tensor& error,
                     c10::ArrayRef<c10::IValue> arguments);
  /// The node that runs made an output that the recipe of source's run would compute so. Of a what-if run.
  void backward_matmul(const void* node, ErrorSource source, GradientProduct product);
  /// Gradients are those of several ranks: the backward pass exchanges them.
  void backward_collective();
  void backward_ended();

  /// Returns whether every parameter that has a gradient was written since.
  bool is_updated() const;
  /// Makes the passes over the tape, once, after the update. `found` is called for each run when their numbers have
  /// arrived: at once, or of a device some time after they were sent for.
  FinishedStep finish(std::function<void(StepGradients)> found);
  std::shared_ptr<DeferredScalars> numbers() const { return numbers_; }

 private:
  class TapeRecorder;

  /// Tells whether a gradient was written since.
  struct GradientState {
    const c10::TensorImpl* gradient = nullptr;  ///< null where there is none
    std::uint32_t version = 0;

    static GradientState of(const at::Tensor& leaf);
    bool operator==(const GradientState&) const = default;
  };

  at::Tensor weight_of(std::size_t input) const;
  at::Tensor gradient_of_run(std::size_t input) const;
  bool is_written(std::size_t input) const;
  /// Holds the numbers of these passes.
  struct Finding;

  std::string why_not() const;
  bool was_skipped() const;
  void compare_with_exact();
  void save_exact_gradients();
  std::vector<at::Tensor> other_gradients(std::size_t run, const std::vector<at::Tensor>& weights);
  /// Return gradients in high precision.
  NamedGradients find(const std::vector<std::shared_ptr<Finding>>& findings);
  NamedGradients find_in_run(const std::shared_ptr<Finding>& finding, const tape::Gradients& at_new,
                             const std::vector<at::Tensor>& before);
  std::vector<std::shared_ptr<Finding>> new_findings() const;
  StepGradients rows_of(Finding& finding);
  /// Returns along what each input moves; nothing where it is not known how the update depends on gradients. `after`:
  /// gradients at the new weights; `other`: at the old ones, in high precision, or of a what-if run rounded.
  std::vector<at::Tensor> directions(const std::vector<at::Tensor>& after, const std::vector<at::Tensor>& other,
                                     std::string& why_not) const;
  std::vector<at::Tensor> gradients_between(const std::vector<at::Tensor>& other) const;
  std::vector<at::Tensor> weights() const;
  std::vector<at::Tensor> new_weights() const;
  std::vector<at::Tensor> shifts(const std::vector<at::Tensor>& gradients) const;
  void take_chords(const std::vector<at::Tensor>& gradients, const std::vector<at::Tensor>& shifts,
                   const std::vector<at::Tensor>& met, std::vector<at::Tensor>& found) const;
  void ask_for_forward_errors(const std::shared_ptr<Finding>& finding, const std::vector<at::Tensor>& direction,
                              const std::vector<at::Tensor>& exact) const;
  GradientImpact forward_errors(const std::vector<GradientImpact>& of_calls, double of_gradients) const;
  std::vector<GradientPair> beside(const std::vector<at::Tensor>& exact) const;

  const std::int64_t segment_;
  const TapeOptions options_;
  const KnownParameters parameters_;
  const NamedGradients before_;
  mutable std::mutex mutex_;
  tape::Tape forward_;
  std::optional<tape::Tape> update_;
  std::unique_ptr<TapeRecorder> tape_recorder_;
  CotangentErrors errors_;
  std::vector<std::unique_ptr<RoundedBackward>> rounded_backward_;  ///< by run
  const std::shared_ptr<DeferredScalars> numbers_;
  std::shared_ptr<std::vector<GradientError>> by_exact_;  ///< null where the tape can tell
  NamedGradients exact_of_step_;
  std::vector<at::Tensor>
      of_exact_;  ///< gradients of inputs of forward_, of the loss itself; none where one is unknown
  std::vector<tape::Root> roots_;
  std::vector<GradientState> gradients_before_;  ///< backward, of inputs of forward_
  std::vector<std::size_t> with_gradient_;       ///< inputs of forward_, in the order of the inputs of update_
  double scale_ = 1.0;                           ///< of the roots' losses
  bool in_backward_ = false;
  bool is_of_many_ranks_ = false;  ///< a gradient of the run is not that of its own losses alone
};

}  // namespace ampprof::profiler
