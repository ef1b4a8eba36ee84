// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/impact/impact_ledger.h"
#include "reports/records/event.h"
#include "reports/records/loss_impact.h"

namespace at {
class Tensor;
}

namespace ampprof::tensors {
class DeferredReductions;
class DeviceMemoryBudget;
}  // namespace ampprof::tensors

namespace ampprof::shadow {
class Shadow;
}

namespace ampprof::recording {
struct Options;
}

namespace ampprof::profiler {

class MissingNotes;
class NonfiniteTrace;
class RecipeCourse;
class Recorder;
class ResidentPeak;
class RoundedInputs;
class RunClock;
class GradientReplays;

/// Tells what is known of the program's parameters. Thread-safe.
class ParameterFacts {
 public:
  /// Returns "" for a tensor that is no parameter and shares no parameter's memory.
  virtual std::string name_of(const at::Tensor& parameter) = 0;
  /// Returns the name of the parameter whose gradient is `gradient`; "" where there is none.
  virtual std::string owner_of_gradient(const at::Tensor& gradient) = 0;
  /// Returns the name of the parameter whose gradient the running node of backward accumulates; "" in other nodes.
  virtual std::string name_of_accumulated() = 0;
  /// Returns the FP32 master of a parameter; undefined where there is none.
  virtual at::Tensor master_of(const at::Tensor& parameter) = 0;

 protected:
  ~ParameterFacts() = default;
};

/// Takes what errors do to the loss, from the hooks that the backward pass calls. Thread-safe.
class ImpactSink {
 public:
  /// Returns whether anything is recorded any more. Hooks outlive the recording, in a forked child too: there nothing
  /// else of this may be called.
  virtual bool is_open() const = 0;
  /// Returns the current substep, if it has inherited error and loss impact.
  virtual std::optional<std::int64_t> sampled_substep() = 0;
  /// The current backward pass brought the gradient that an error met. `effect` may come later. `function`: the node of
  /// the custom autograd function whose output it is; 0 for none.
  virtual void met(const ImpactLedger::Error& error, ImpactLedger::LateEffect effect, std::uint64_t function) = 0;
  /// There is no error for the gradient to meet.
  virtual void missed(const ImpactLedger::Error& error, ImpactGap gap) = 0;

 protected:
  ~ImpactSink() = default;
};

/// Takes what a GradScaler does, as its ops tell. Thread-safe.
class ScalerEvents {
 public:
  /// Returns whether the program has an AMP engine, which tells its own.
  virtual bool has_engine() const = 0;
  /// Takes the scale off these gradients of one optimizer. `scale` is empty where that is left to the optimizer's
  /// kernel.
  virtual void gradients_unscaled(const at::Tensor& first_gradient, std::optional<double> scale) = 0;
  /// Returns the values of tensors of one element. Those on devices come with all other figures that wait there: the
  /// step's are in then, and its end waits for no more.
  virtual std::vector<double> numbers_of(const std::vector<at::Tensor>& tensors) = 0;
  /// Returns an event with the origin, the chain and the largest safe scale that are known of this backward.
  virtual OverflowEvent event_of_trace() = 0;
  virtual void overflowed(OverflowEvent event) = 0;
  /// A GradScaler, known by its scale tensor, is done with a step. `overflow`: it left updates out.
  virtual void scaler_decided(const void* scaler, double before, double after, bool overflow) = 0;
  /// `skipped`: the optimizer did not update.
  virtual void scale_updated(int loss_id, double before, double after, bool overflow, bool skipped) = 0;

 protected:
  ~ScalerEvents() = default;
};

/// Gives a stage what it may use. All of it outlives the stages.
struct StageContext {
  const recording::Options& options;
  RunClock& clock;
  Recorder& recorder;
  MissingNotes& missing;
  NonfiniteTrace& trace;
  RoundedInputs& rounded_inputs;
  ResidentPeak& memory;
  ResidentPeak& gpu_memory;
  tensors::DeviceMemoryBudget& room;
  tensors::DeferredReductions& results;
  std::size_t course = 0;             ///< that this stage is of, of several that go along with the program
  shadow::Shadow* shadow;             ///< null without --inherited, and a recipe
  RecipeCourse* recipes = nullptr;    ///< null without recipes
  GradientReplays* gradient_replays = nullptr;  ///< null without --impact
  ParameterFacts& parameters;
  ImpactSink& impacts;
  ScalerEvents& scaler;

  /// Returns where the figures of `tensor` come later; null where they are computed at once.
  tensors::DeferredReductions* results_of(const at::Tensor& tensor) const;
  /// Returns whether this step's outputs are measured where nothing is compared with them: with a recipe's shadow, of
  /// what no recipe rounds, those of taped steps alone.
  bool measures_all_outputs() const;
};

}  // namespace ampprof::profiler
