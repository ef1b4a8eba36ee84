// SPDX-License-Identifier: Apache-2.0
// Interposes the autograd engine, custom functions and optimizers. Includes no header of LibTorch. All of these
// functions return a class, so the first word is the address of the result. For member functions the second word is the
// object.

#include <cstdint>
#include <exception>
#include <functional>

#include "profiler/preload/interposed.h"
#include "profiler/preload/preload.h"

namespace ampprof::preload {
namespace {

/// Reads a bool argument. Only the lowest byte of its word is defined.
bool is_set(Word word) { return (reinterpret_cast<std::uintptr_t>(word) & 0xff) != 0; }

/// A call of the autograd engine.
class Backward {
 public:
  Backward(const void* roots, bool accumulates)
      : pass_(hooks_ == nullptr ? nullptr : hooks_->backward_begun(roots, accumulates)) {}
  ~Backward() {
    if (pass_ != nullptr) hooks_->backward_ended(pass_);
  }
  Backward(const Backward&) = delete;
  Backward& operator=(const Backward&) = delete;

 private:
  const Hooks* hooks_ = hooks();
  void* pass_;
};

/// A call of an optimizer's step().
class OptimizerStep {
 public:
  /// `closure`: a std::function of any signature. The check whether it is empty is the same for all signatures.
  OptimizerStep(const void* optimizer, const void* closure) : optimizer_(optimizer) {
    const bool has_closure = static_cast<bool>(*static_cast<const std::function<void()>*>(closure));
    const auto kind = has_closure ? OptimizerStepKind::CallsClosure : OptimizerStepKind::Updates;
    if (hooks_ != nullptr) hooks_->optimizer_begun(optimizer, kind);
  }
  ~OptimizerStep() {
    if (hooks_ != nullptr) hooks_->optimizer_ended(optimizer_, std::uncaught_exceptions() > exceptions_before_);
  }
  OptimizerStep(const OptimizerStep&) = delete;
  OptimizerStep& operator=(const OptimizerStep&) = delete;

 private:
  const Hooks* hooks_ = hooks();
  const void* optimizer_;
  int exceptions_before_ = std::uncaught_exceptions();
};

}  // namespace
}  // namespace ampprof::preload

using ampprof::preload::next_symbol;
using ampprof::preload::Word;

#define AMPPROF_ENGINE_EXECUTE \
  "_ZN5torch8autograd6Engine7executeERKSt6vectorINS0_4EdgeESaIS3_EERKS2_IN2at6TensorESaIS9_EEbbbS7_"

AMPPROF_INTERPOSE(ampprof_engine_execute, AMPPROF_ENGINE_EXECUTE, Word result, Word engine, Word roots, Word gradients,
                  Word keeps_graph, Word makes_graph, Word accumulates, Word outputs) {
  static const auto next = reinterpret_cast<decltype(&ampprof_engine_execute)>(next_symbol(AMPPROF_ENGINE_EXECUTE));
  const ampprof::preload::Backward backward(roots, ampprof::preload::is_set(accumulates));
  return next(result, engine, roots, gradients, keeps_graph, makes_graph, accumulates, outputs);
}

// Functions that LibTorch calls at the end of a custom function's forward. Their arguments differ between versions and
// overloads, but never exceed these words. Words beyond the arguments are the caller's stack; the callee does not read
// them.
#define AMPPROF_WRAP_OUTPUTS(symbol) AMPPROF_WRAP_OUTPUTS_AS(AMPPROF_NUMBERED(ampprof_wrap_outputs_, __LINE__), symbol)
#define AMPPROF_WRAP_OUTPUTS_AS(name, symbol)                                                                          \
  AMPPROF_INTERPOSE(name, symbol, Word result, Word b, Word c, Word d, Word e, Word f, Word g, Word h, Word i, Word j, \
                    Word k, Word l, Word m, Word n) {                                                                  \
    static const auto next = reinterpret_cast<decltype(&name)>(next_symbol(symbol));                                   \
    Word returned = next(result, b, c, d, e, f, g, h, i, j, k, l, m, n);                                               \
    if (const auto* table = ampprof::preload::hooks()) table->custom_function_ended(result);                           \
    return returned;                                                                                                   \
  }
#include "profiler/preload/wrap_outputs_symbols.inc"

#define AMPPROF_STEP_SYMBOL(name) "_ZN5torch5optim" #name "4stepESt8functionIFN2at6TensorEvEE"
#define AMPPROF_STEP(name)                                                                                             \
  AMPPROF_INTERPOSE(ampprof_step_##name, AMPPROF_STEP_SYMBOL(name), Word result, Word optimizer, Word closure) {       \
    static const auto next = reinterpret_cast<decltype(&ampprof_step_##name)>(next_symbol(AMPPROF_STEP_SYMBOL(name))); \
    const ampprof::preload::OptimizerStep step(optimizer, closure);                                                    \
    return next(result, optimizer, closure);                                                                           \
  }
AMPPROF_STEP(3SGD)
AMPPROF_STEP(4Adam)
AMPPROF_STEP(5AdamW)
AMPPROF_STEP(5LBFGS)
AMPPROF_STEP(7Adagrad)
AMPPROF_STEP(7RMSprop)
