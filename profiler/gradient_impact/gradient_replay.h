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

/// Holds the results of a finished segment, for one run of the report.
struct StepGradients {
  std::size_t run = 0;
  std::optional<StepDecrease> decrease{};
  std::vector<GradientImpact> impacts{};
  std::vector<GradientError> errors{};
  std::string why_ranking_only{};  ///< why impacts are for ranking only; "" if their sizes are valid
  bool are_of_many_ranks = false;  ///< the program's gradients are averages over ranks, the reference is of one rank
  std::string why_not{};           ///< why no impact was found; "" if one was found, or if nothing was rounded
};

/// Holds what the next segment needs of a finished one.
struct FinishedStep {
  NamedGradients exact{};     ///< gradients in high precision
  bool lost_a_graph = false;  ///< the tape could not run because of a custom autograd function
};

/// Looks up facts about a program's parameters.
struct KnownParameters {
  std::function<at::Tensor(const at::Tensor& parameter)> master_of{};
  std::function<std::string(const at::Tensor& parameter)> name_of{};
  /// Returns the current gradients of parameters, each paired with its gradient in the exact shadow; an empty list
  /// without a shadow. May be null.
  std::function<std::vector<GradientPair>()> pairs_with_exact{};
  /// Returns the current value of this gradient in the exact shadow; undefined without a shadow, or if the shadow has
  /// no value for it. May be null.
  std::function<at::Tensor(const at::Tensor& gradient)> in_exact{};
};

/// Says which segments are taped, and how.
struct TapeOptions {
  at::ScalarType precision = at::kFloat;           ///< precision of the passes over the tape
  std::int64_t error_bytes = 0;                    ///< memory limit for stored errors
  bool is_what_if = false;                         ///< --what-if: the program's own gradients are exact
  tensors::DeferredReductions* results = nullptr;  ///< queue for numbers on devices; if null, numbers are read at once
  /// Also tapes calls with grad mode off, so that impacts pass through custom autograd functions. These impacts are for
  /// ranking only, because the backward of a function may differ from the derivative of its ops.
  bool through_functions = false;
  std::int64_t every = 1;  ///< after a taped segment with an update, skips `every` - 1 followed segments
  bool tapes_all = true;   ///< if false, only segments recorded in full are taped
  std::size_t runs = 1;    ///< number of runs in the report, one for each recipe whose backward is computed
};

/// Tapes the forward and the update of one segment, and keeps the errors of its backward calls until the segment is
/// finished. Thread-safe. Expects calls, passes and finish() in the program's order.
class GradientReplay : public std::enable_shared_from_this<GradientReplay> {
 public:
  /// `before`: high-precision gradients of the last finished segment.
  GradientReplay(std::int64_t segment, const TapeOptions& options, KnownParameters parameters,
                 NamedGradients before = {});
  ~GradientReplay();

  std::int64_t segment() const { return segment_; }

  /// Returns the observer that tapes the leaf ops of the next call; null if the call needs no taping. Call it before
  /// each call outside of backward.
  LeafObserver* tape_recorder();

  // Backward passes of losses.
  /// Begins a backward pass. `scale`: the loss scale.
  void backward_begun(const std::vector<BackwardRoot>& roots, double scale);
  /// Adds the error of an output returned by a call inside `node`, which is running. `error` is undefined if the output
  /// has no error.
  void backward_call(const void* node, ErrorSource source, const at::Tensor& output, const at::Tensor& error,
                     c10::ArrayRef<c10::IValue> arguments);
  /// Adds a matmul inside `node`, which is running, in a what-if run. `product` computes it as the recipe of
  /// `source.run` would.
  void backward_matmul(const void* node, ErrorSource source, GradientProduct product);
  /// Notes that the backward pass exchanges gradients between ranks.
  void backward_collective();
  void backward_ended();

  /// Returns whether every parameter with a gradient was written after the backward pass.
  bool is_updated() const;
  /// Runs the passes over the tape. Call it once, after the update. Calls `found` for each run of the report when the
  /// numbers of the run have arrived: at once on the CPU, and after numbers()->send() on a device.
  FinishedStep finish(std::function<void(StepGradients)> found);
  std::shared_ptr<DeferredScalars> numbers() const { return numbers_; }

 private:
  class TapeRecorder;

  /// A gradient's identity and version. A write changes it.
  struct GradientState {
    const c10::TensorImpl* gradient = nullptr;  ///< null if the leaf has no gradient
    std::uint32_t version = 0;

    static GradientState of(const at::Tensor& leaf);
    bool operator==(const GradientState&) const = default;
  };

  at::Tensor weight_of(std::size_t input) const;
  at::Tensor gradient_of_run(std::size_t input) const;
  bool is_written(std::size_t input) const;
  /// Holds the results of the passes for one run of the report.
  struct Finding;

  std::string why_not() const;
  bool was_skipped() const;
  void compare_with_exact();
  void save_exact_gradients();
  std::vector<at::Tensor> other_gradients(std::size_t run, const std::vector<at::Tensor>& weights);
  /// Run the passes for all runs of the report, or for one. Return the high-precision gradients.
  NamedGradients find(const std::vector<std::shared_ptr<Finding>>& findings);
  NamedGradients find_in_run(const std::shared_ptr<Finding>& finding, const tape::Gradients& at_new,
                             const std::vector<at::Tensor>& before);
  std::vector<std::shared_ptr<Finding>> new_findings() const;
  StepGradients rows_of(Finding& finding);
  /// Returns the direction d (README.md) for each input; an empty list if the derivative of the update is unknown.
  /// `after`: gradients at the new weights. `other`: gradients at the old weights, in high precision, or as a recipe
  /// rounds them.
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
  std::vector<std::unique_ptr<RoundedBackward>> rounded_backward_;  ///< indexed by run of the report
  const std::shared_ptr<DeferredScalars> numbers_;
  std::shared_ptr<std::vector<GradientError>>
      comparison_with_shadow_;  ///< result of compare_with_exact(), if the tape cannot run
  NamedGradients exact_of_step_;
  std::vector<at::Tensor>
      shadow_gradients_;  ///< the shadow's unscaled gradients of forward_'s inputs; empty if any is unknown
  std::vector<tape::Root> roots_;
  std::vector<GradientState> gradients_before_;  ///< state before the backward pass, indexed by input of forward_
  std::vector<std::size_t> with_gradient_;  ///< indices of the inputs of forward_ whose gradients are inputs of update_
  double scale_ = 1.0;                      ///< loss scale of the roots
  bool in_backward_ = false;
  bool is_of_many_ranks_ = false;  ///< the program's gradients include losses of other ranks
};

}  // namespace ampprof::profiler
