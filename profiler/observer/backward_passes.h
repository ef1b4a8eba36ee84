// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "profiler/loss/loss_scales.h"
#include "profiler/source/source_places.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/one_element_products.h"
#include "profiler/torch_hooks/one_element_results.h"

namespace ampprof::profiler {

struct CallContext;
class Locked;
struct SessionCore;

/// Finds the purpose, the loss and the loss scale of each backward pass. Thread-safe.
class BackwardPasses {
 public:
  BackwardPasses(SessionCore& core, SourcePlaces& sources) : core_(core), sources_(sources) {}

  // Events of the autograd engine, from the hooks.
  /// Handles the beginning of a backward pass. `accumulates`: the pass adds to `.grad` of leaves, unlike
  /// autograd.grad(). Takes the GIL in a Python program.
  BackwardPass begin(const std::vector<BackwardRoot>& roots, bool accumulates);
  void end(const BackwardPass& pass);
  /// Handles the end of a custom autograd function's forward. Its `outputs` already have their autograd node.
  void custom_function_ended(const std::vector<at::Tensor>& outputs);
  /// Sets the scale that the program announces for its losses.
  void set_loss_scale(double scale);

  // Events of op calls.
  /// Keeps the operand of a multiplication before the call runs. The operand may be a loss, and the call may overwrite
  /// it.
  void begin_multiplication(CallContext& call);
  /// Remembers the result of a call, which may be a loss or a scaled loss. Takes the GIL if the result is a product.
  void notice_result(CallContext& call);
  /// Notices a call that returns a tensor's value to the program, as item() does. The tensor may be the loss.
  void notice_reading(const CallContext& call);
  /// Notices a call that divides gradients. A program that scales its loss without a scaler divides them by the loss
  /// scale before the update.
  void notice_unscaling(const Locked& state, const CallContext& call);
  /// Returns the loss scale of the backward pass that this thread is running. Outside of a loss's pass, returns the AMP
  /// engine's scale.
  std::optional<double> scale_of_call(const Locked& state) const;

  /// Settles the loss scales of finished passes and records their losses, when a segment ends. `Which::All`, at the
  /// program's end, includes passes that are still running.
  void settle(const Locked& state, LossScales::Which which);
  /// Adds a note to `missing` if the program trained but no loss was seen.
  void note_absent_losses(const Locked& state);

 private:
  void see_losses(const Locked& state, const BackwardPass& pass, const std::vector<BackwardRoot>& roots,
                  SourcePlaces::Id place);
  void record_losses(const Locked& state, LossScales::Which which);

  SessionCore& core_;
  SourcePlaces& sources_;
  OneElementResults results_;
  OneElementProducts products_;
};

/// Divides pending loss impacts by the loss scales of these passes.
void divide(const Locked& state, const std::vector<LossScales::Settled>& passes);

}  // namespace ampprof::profiler
