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

/// Follows losses into their backward passes: the purpose of each pass, and its loss scale. Thread-safe.
class BackwardPasses {
 public:
  BackwardPasses(SessionCore& core, SourcePlaces& sources) : core_(core), sources_(sources) {}

  // Calls of the autograd engine, from the hooks.
  /// Begins a call of the engine, and returns its purpose. Takes the interpreter's lock in a Python program.
  BackwardPass begin(const std::vector<BackwardRoot>& roots, bool accumulates);
  void end(const BackwardPass& pass);
  /// Handles the end of a custom autograd function's forward, when its outputs have their node.
  void custom_function_ended(const std::vector<at::Tensor>& outputs);
  /// Sets the scale that the program announces for its losses.
  void set_loss_scale(double scale);

  // Op calls.
  /// Keeps the operand of a multiplication before it runs. It may be a loss, and the call may overwrite it.
  void begin_multiplication(CallContext& call);
  /// Remembers the result of a call, which may be a loss or its product. Takes the interpreter's lock for a product.
  void notice_result(CallContext& call);
  /// Notices a call that reads a tensor's value for the program. That may be its loss.
  void notice_reading(const CallContext& call);
  /// Notices a program that scales its loss by hand, which divides its gradients by the same number before the update.
  void notice_unscaling(const Locked& state, const CallContext& call);
  /// Returns the loss scale in force for a call of the backward pass that this thread is in.
  std::optional<double> scale_of_call(const Locked& state) const;

  /// Settles the passes that wait for their scale and records their losses, when a segment ends. At the program's end
  /// it settles all passes.
  void settle(const Locked& state, LossScales::Which which);
  /// Adds a note if the program trained but no loss was seen.
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

/// Divides waiting impacts by the loss scales of these passes.
void divide(const Locked& state, const std::vector<LossScales::Settled>& passes);

}  // namespace ampprof::profiler
