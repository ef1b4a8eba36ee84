// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The interface between the preload stub, which is mapped into every process, and the observer, which is loaded only
/// together with LibTorch. Each passes the other a table of plain functions. No type of LibTorch is part of the tables.
namespace ampprof::profiler {
struct RangeSink;
}

namespace ampprof::preload {

/// Says what an optimizer's step() does apart from the update.
enum class OptimizerStepKind : int {
  Updates = 0,         ///< no extra work
  CallsClosure = 1,    ///< step() calls a closure that runs forward and backward
  Differentiable = 2,  ///< step() records a graph of its update
};

/// The precision of the reference for a compiled region's results.
enum class ComparedIn : int { Nothing = 0, Fp32 = 1, Fp64 = 2 };

struct Hooks {
  /// A member function of torch::nn::Module itself (parameters(), train(), to() …) was called on `module`, which is
  /// alive.
  void (*module_seen)(const void* module);
  /// A built-in module's forward() is entered or left on this thread.
  void (*module_entered)(const void* module);
  void (*module_left)();
  /// A module is entered or left in a language that knows the names of modules (Python). `name`: from intern().
  /// `is_call`: the module is called; otherwise its parameters, gradients and buffers are converted or moved.
  void (*scope_entered)(std::int64_t name, bool is_call);
  void (*scope_left)();
  std::int64_t (*intern)(const char* name);
  /// Names the parameter whose TensorImpl is at `tensor`.
  void (*parameter_named)(void* tensor, const char* name);
  /// An optimizer's step() begins or ends on this thread; `failed`: it threw.
  void (*optimizer_begun)(const void* optimizer, OptimizerStepKind kind);
  void (*optimizer_ended)(const void* optimizer, bool failed);
  /// The autograd engine is called on this thread. `roots`: the engine's edge_list. `accumulates`: the call adds to
  /// `.grad` of leaves, like backward() and unlike grad(). Pass the result of backward_begun() to backward_ended().
  void* (*backward_begun)(const void* roots, bool accumulates);
  void (*backward_ended)(void* pass);
  /// The forward of a custom autograd function has ended on this thread, and its outputs have their autograd node.
  /// `outputs`: the function's vector of optional tensors.
  void (*custom_function_ended)(const void* outputs);
  /// torch.autocast casts a tensor on this thread. Pass the result of cast_begun() to cast_ended(), with pointers to
  /// the operand and the result, which are the same tensor if no cast was needed.
  std::int64_t (*cast_begun)();
  void (*cast_ended)(const void* operand, const void* result, std::int64_t begun);
  /// torch.autocast has dropped its copies of earlier casts.
  void (*cast_cache_cleared)();
  /// torch.compile() begins or ends a compilation on this thread. Ops that it runs meanwhile are not the program's.
  void (*compile_begun)();
  void (*compile_ended)();
  /// A call of a region of torch.compile(), on one thread. The functions are called in this order:
  ///
  /// - region_begun() takes the region's compile id, such as "0/0", as `name`. Tensors are pointers to TensorImpl, null
  ///   for other values. It returns null if the call is not recorded; otherwise pass its result to the other functions.
  /// - region_compared_in() takes the names of the functions that the graph calls, separated by spaces. It returns the
  ///   precision in which the uncompiled graph's results may be needed, or Nothing.
  /// - The region runs between region_starts() and region_stops(). region_stops() returns whether to run the uncompiled
  ///   graph now. `keeps_graph`: that run makes a graph for its backward.
  /// - region_ended() takes the results and those of the uncompiled graph, or the reason why there are none. It returns
  ///   whether they are compared. region_failed() replaces region_ended() during an exception.
  void* (*region_begun)(const char* name, void* const* inputs, std::size_t count);
  ComparedIn (*region_compared_in)(const void* call, const char* functions);
  void (*region_starts)(void* call);
  bool (*region_stops)(void* call, bool keeps_graph);
  bool (*region_ended)(void* call, void* const* results, void* const* references, std::size_t count,
                       const char* why_not);
  void (*region_failed)(void* call);
  /// The program marks the end of a training step.
  void (*step_ended)();
  /// The program announces the factor by which it multiplies its loss.
  void (*loss_scale)(double scale);
  /// The Python hooks cannot observe a part of the program. Adds a note to `missing`.
  void (*cannot_see)(const char* what, const char* cause, const char* remedy);
  /// A new thread of the program starts. Called on this thread, which is observed from here on.
  void (*thread_started)();
  /// The recorded process was forked. Called in the child, which must not touch the parent's report.
  void (*forked_child)();
  /// The process ends without the handlers of exit().
  void (*process_ends)();
  /// The recording ends, but the process continues. Another recording may begin.
  void (*recording_ends)();
};

/// Functions of the stub for the observer.
struct Stub {
  /// The size of Hooks, by which the observer detects a stub of another build of ampprof.
  std::size_t size_of_hooks = sizeof(Hooks);
  /// Returns the value of a recording variable (reports/recording/); null if it is unset.
  const char* (*variable)(const char* name);
  /// Makes this process the recorded one. Returns false if another process already is.
  bool (*claim)();
  bool (*is_claimed_by_another)();
  /// Sends a note to `ampprof run`: the word "trained" with a rank, or "failed" or "stopped" with a reason.
  void (*note)(const char* what, const char* text);
  const char* (*rank)();
  /// Sends the program's NVTX ranges to `sink` from now on; see profiler/nvtx/README.md.
  void (*give_ranges_to)(const profiler::RangeSink* sink);
  /// True if the program uses amp_core itself, so that it needs no injected casts.
  bool program_has_amp_core;
  /// True if the program itself began the recording. This process is then the recorded one, no matter what started it.
  bool is_own;
};

/// Called by the stub when a recording begins, with LibTorch mapped. Returns null if the recording cannot begin.
/// Exported by libampprof.so.
using AttachFunction = const Hooks* (*)(const Stub& stub);
inline constexpr const char* kAttachSymbol = "ampprof_attach";

}  // namespace ampprof::preload
