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

/// Follows losses on their way backward: what each pass is for, and what its loss was multiplied by. Thread-safe.
class BackwardPasses {
 public:
  BackwardPasses(SessionCore& core, SourcePlaces& sources) : core_(core), sources_(sources) {}

  // The autograd engine, from the hooks.
  /// Returns what a call of the engine is for. Takes the interpreter's lock in a Python program.
  BackwardPass begin(const std::vector<BackwardRoot>& roots, bool accumulates);
  void end(const BackwardPass& pass);
  /// The forward of a custom autograd function has ended, and its outputs have their node.
  void custom_function_ended(const std::vector<at::Tensor>& outputs);
  /// The program says what it multiplies its losses by.
  void set_loss_scale(double scale);

  // Op calls.
  /// Takes what a call is about to multiply: it may be a loss, and overwritten.
  void begin_multiplication(CallContext& call);
  /// Remembers the result of a call, which may be a loss or its product. Takes the interpreter's lock for a product.
  void notice_result(CallContext& call);
  /// Notices a call that gives the program a value: it calls that its loss, perhaps.
  void notice_reading(const CallContext& call);
  /// Notices a program that scales its loss by hand: it divides its gradients by the same number before it updates.
  void notice_unscaling(const Locked& state, const CallContext& call);
  /// Returns the loss scale in force for a call of the backward pass that this thread is in.
  std::optional<double> scale_of_call(const Locked& state) const;

  /// Settles the passes that wait for their scale when a segment ends, or, when the program ends, all, and records the
  /// losses that they began at.
  void settle(const Locked& state, LossScales::Which which);
  /// Says what is missing where a program trained and no loss was seen.
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

/// Divides by their scales what waits for it.
void divide(const Locked& state, const std::vector<LossScales::Settled>& passes);

}  // namespace ampprof::profiler
