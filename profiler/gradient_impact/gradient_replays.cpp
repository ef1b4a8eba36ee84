// SPDX-License-Identifier: Apache-2.0
#include "profiler/gradient_impact/gradient_replays.h"

#include <dlfcn.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "precision/tensors/capture.h"
#include "profiler/calls/call.h"
#include "profiler/recorder/missing_notes.h"
#include "profiler/recorder/recorder.h"
#include "profiler/recorder/run_clock.h"
#include "profiler/torch_hooks/backward_pass.h"
#include "profiler/torch_hooks/torch_state.h"

namespace ampprof::profiler {
namespace {

/// Functions of Python's C API, looked up in the process, since ampprof does not link an interpreter.
struct LockOfInterpreter {
  int (*is_initialized)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "Py_IsInitialized"));
  int (*has_lock)() = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
  void* (*give_back)() = reinterpret_cast<void* (*)()>(dlsym(RTLD_DEFAULT, "PyEval_SaveThread"));
  void (*take)(void*) = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "PyEval_RestoreThread"));

  bool is_there() const { return is_initialized && has_lock && give_back && take && is_initialized() != 0; }
};

const LockOfInterpreter& lock_of_interpreter() {
  static const LockOfInterpreter found;
  return found;
}

/// Releases Python's interpreter lock for its lifetime if this thread holds it, because the autograd engine refuses to
/// run under the lock. Does nothing in a program without Python. Must be destroyed on its own thread.
class [[nodiscard]] WithoutInterpreterLock {
 public:
  WithoutInterpreterLock() {
    if (lock_.is_there() && lock_.has_lock() != 0) state_ = lock_.give_back();
  }
  ~WithoutInterpreterLock() {
    if (state_ != nullptr) lock_.take(state_);
  }
  WithoutInterpreterLock(const WithoutInterpreterLock&) = delete;
  WithoutInterpreterLock& operator=(const WithoutInterpreterLock&) = delete;

 private:
  const LockOfInterpreter& lock_ = lock_of_interpreter();
  void* state_ = nullptr;  ///< Python's state of this thread; null if the thread did not hold the lock
};

/// Returns whether calls of this phase lie between a backward pass and the next forward.
bool is_part_of_update(Phase phase) { return phase == Phase::Optimizer || phase == Phase::Inference; }

}  // namespace

GradientReplays::GradientReplays(const TapeOptions& options, KnownParameters parameters, Recorder& recorder,
                                 MissingNotes& missing, RunClock& clock)
    : options_(options),
      parameters_(std::move(parameters)),
      recorder_(recorder),
      missing_(missing),
      clock_(clock) {}

std::shared_ptr<GradientReplay> GradientReplays::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

std::shared_ptr<GradientReplay> GradientReplays::own() {
  std::shared_ptr<GradientReplay> step;
  {
    const std::lock_guard lock(mutex_);
    if (thread_ == std::this_thread::get_id()) step = current_;
    if (step == nullptr || !tensors::is_captured_here()) return step;
    current_.reset();
  }
  missing_.note("gradient impact of backward ops", "a CUDA graph was captured before the step had ended",
                "run the program without capturing a CUDA graph");
  return nullptr;
}

std::shared_ptr<LeafObserver> GradientReplays::recorder_of(const CallContext& call) {
  if (!call.access.is_readable) return nullptr;
  const bool is_forward = call.phase == Phase::Forward;
  if (!is_forward && !is_part_of_update(call.phase)) return nullptr;
  const std::lock_guard lock(mutex_);
  const bool is_next = call.followed && is_forward && current_ == nullptr && call.record.segment != last_;
  if (is_next) {
    last_ = call.record.segment;
    const bool is_its_turn = to_pass_ == 0 && (options_.tapes_all || call.in_full);
    if (is_its_turn) {
      current_ = std::make_shared<GradientReplay>(last_, options_, parameters_, gradients_before_);
      thread_ = std::this_thread::get_id();
    }
    to_pass_ = std::max<std::int64_t>(to_pass_ - 1, 0);
  }
  if (current_ == nullptr || thread_ != std::this_thread::get_id()) return nullptr;
  return {current_, current_->tape_recorder()};
}

void GradientReplays::call_begun(CallContext& call, bool is_recorded) {
  const std::shared_ptr<GradientReplay> step = own();
  if (step == nullptr) return;
  const bool is_other = !is_recorded || call.record.segment != step->segment();
  const bool goes_on = call.phase != Phase::Forward;
  if (!is_other && (goes_on || !step->is_updated())) return;
  finish(step);
  call.place.first_node = next_sequence_number();  // earlier nodes are ampprof's own
}

void GradientReplays::optimizer_ended() {
  const std::shared_ptr<GradientReplay> step = own();
  if (step != nullptr && step->is_updated()) finish(step);
}

void GradientReplays::backward_begun(const std::vector<BackwardRoot>& roots, const BackwardPass& pass) {
  if (!pass.is_of_loss || inside_backward()) return;
  if (const auto step = own()) step->backward_begun(roots, pass.likely_scale.value_or(1.0));
}

void GradientReplays::backward_ended(const BackwardPass& pass) {
  if (!pass.is_of_loss || inside_backward()) return;
  const OverheadTime counted(clock_);
  // The last segment's numbers are copied with the results of this step, because no thread synchronizes with the device
  // between an update and the next forward.
  send_numbers();
  if (const auto step = own()) step->backward_ended();
}

bool GradientReplays::send_numbers() {
  if (tensors::is_captured_here()) return false;
  std::shared_ptr<DeferredScalars> numbers;
  {
    const std::lock_guard lock(mutex_);
    numbers = std::exchange(numbers_, nullptr);
  }
  return numbers != nullptr && numbers->send();
}

void GradientReplays::release() {
  const std::lock_guard lock(mutex_);
  current_.reset();
}

void GradientReplays::finish(const std::shared_ptr<GradientReplay>& step) {
  const OverheadTime counted(clock_);
  const WithoutInterpreterLock free;
  {
    const std::lock_guard lock(mutex_);
    if (current_ != step) return;
    current_.reset();
    if (step->is_updated()) to_pass_ = options_.every - 1;
  }
  send_numbers();
  FinishedStep finished = step->finish([this](StepGradients found) { write(std::move(found)); });
  {
    const std::lock_guard lock(mutex_);
    numbers_ = step->numbers();
    options_.through_functions = options_.through_functions || finished.lost_a_graph;
    if (!finished.exact.empty()) gradients_before_ = std::move(finished.exact);
  }
  ThreadState::current().autograd = {};  // the passes made autograd nodes that no op call of the program made
}

void GradientReplays::write(StepGradients found) {
  if (!found.why_not.empty()) {
    missing_.note("gradient impact of backward ops", found.why_not, "use the local errors of backward ops instead");
  }
  if (!found.why_ranking_only.empty()) {
    missing_.note("size of gradient impacts", found.why_ranking_only, "use the order of the impacts, not their size");
  }
  if (found.are_of_many_ranks) {
    missing_.note("errors of gradients",
                  "gradients are averaged over ranks, but the reference gradient is of one rank's batch",
                  "record one rank alone with the same batch");
  }
  recorder_.add(found.run,
                [&](Batch& batch) { std::ranges::move(found.impacts, std::back_inserter(batch.gradient_impacts)); });
  if (found.run > 0) return;  // other runs of the report have no rows of the program's own
  recorder_.add([&](Batch& batch) {
    if (found.decrease) batch.decreases.push_back(*found.decrease);
    std::ranges::move(found.errors, std::back_inserter(batch.gradient_errors));
  });
}

}  // namespace ampprof::profiler
