// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The seam between the preload stub, which is mapped into every process, and the observer, which is loaded only where
/// LibTorch is: a table of plain functions that each hands to the other. No type of LibTorch crosses it.
namespace ampprof::profiler {
struct RangeSink;
}

namespace ampprof::preload {

/// The work that an optimizer's step() does besides its update.
enum class OptimizerStepKind : int {
  Updates = 0,         ///< nothing
  CallsClosure = 1,    ///< it runs forward and backward itself
  Differentiable = 2,  ///< it records gradients of its update
};

/// The type in which the results of a compiled region may be wanted once more.
enum class ComparedIn : int { Nothing = 0, Fp32 = 1, Fp64 = 2 };

struct Hooks {
  /// A function of torch::nn::Module itself (parameters(), train(), to() …) was called on `module`, which is alive now.
  void (*module_seen)(const void* module);
  /// A built-in module's forward() is entered or left on this thread.
  void (*module_entered)(const void* module);
  void (*module_left)();
  /// A module is entered or left whose name is from intern(), for languages that know their modules' names themselves.
  /// `is_call`: it is called; else its parameters, their gradients and its buffers are converted or moved.
  void (*scope_entered)(std::int64_t name, bool is_call);
  void (*scope_left)();
  std::int64_t (*intern)(const char* name);
  /// Names the parameter whose TensorImpl is at `tensor`.
  void (*parameter_named)(void* tensor, const char* name);
  /// An optimizer's step() begins or ends on this thread; `failed`: it threw.
  void (*optimizer_begun)(const void* optimizer, OptimizerStepKind kind);
  void (*optimizer_ended)(const void* optimizer, bool failed);
  /// The autograd engine is called on this thread. `roots` is its edge_list; `accumulates`: into leaves, as backward()
  /// does and grad() does not. What begun() returns goes to ended().
  void* (*backward_begun)(const void* roots, bool accumulates);
  void (*backward_ended)(void* pass);
  /// The forward of a custom autograd function has ended on this thread, and its outputs have their node. `outputs` is
  /// its vector of optional tensors.
  void (*custom_function_ended)(const void* outputs);
  /// torch.autocast casts a tensor on this thread. What begun() returns goes to ended(), with pointers to the tensor
  /// that was asked for and to what it was given, the same where it needed no cast.
  std::int64_t (*cast_begun)();
  void (*cast_ended)(const void* operand, const void* result, std::int64_t begun);
  /// torch.autocast has no copy of an earlier cast any more.
  void (*cast_cache_cleared)();
  /// torch.compile() begins or ends to compile on this thread: ops that it tries are none of the program's.
  void (*compile_begun)();
  void (*compile_ended)();
  /// A call of a region that torch.compile() made, on one thread. `name` is its compile id, "0/0"; tensors are pointers
  /// to TensorImpl, null for what is none. begun() returns null where the call is not recorded; what it returns goes to
  /// the others, in this order: compared_in() says whether its results may be wanted as the uncompiled graph computes
  /// them in high precision, and in which, given the names of what the graph calls, between spaces; then the region
  /// runs between starts() and stops(), which says whether that graph should run now (with `keeps_graph` so that it can
  /// go backward); ended() takes the results, the same tensors of that graph or, where there are none, why not, and
  /// says whether they are compared. failed() takes its place where an exception is on its way.
  void* (*region_begun)(const char* name, void* const* inputs, std::size_t count);
  ComparedIn (*region_compared_in)(const void* call, const char* functions);
  void (*region_starts)(void* call);
  bool (*region_stops)(void* call, bool keeps_graph);
  bool (*region_ended)(void* call, void* const* results, void* const* references, std::size_t count,
                       const char* why_not);
  void (*region_failed)(void* call);
  /// The program says that a step ends here.
  void (*step_ended)();
  /// The program says what it multiplies its loss by.
  void (*loss_scale)(double scale);
  /// Whoever watches the program cannot see a part of it: why, and what to do.
  void (*cannot_see)(const char* what, const char* cause, const char* remedy);
  /// A new thread of the program starts: it is observed from here on.
  void (*thread_started)();
  /// This process is a fork of an observed one. Called in the child: it must not touch what the parent writes.
  void (*forked_child)();
  /// The process leaves without the handlers of exit().
  void (*process_ends)();
  /// The recording ends, and the process goes on: another one may begin.
  void (*recording_ends)();
};

/// Functions of the stub for the observer.
struct Stub {
  /// Tells a stub of another build of ampprof, whose table is another.
  std::size_t size_of_hooks = sizeof(Hooks);
  /// Returns the value of a variable that says what to record (reports/recording/); null for one that is not set.
  const char* (*variable)(const char* name);
  /// Makes this process the recorded one; false where another is.
  bool (*claim)();
  bool (*is_claimed_by_another)();
  /// Tells `ampprof run`: "trained" and a rank, "failed" or "stopped" and why.
  void (*note)(const char* what, const char* text);
  const char* (*rank)();
  /// Says who takes the ranges that the program marks with NVTX from here on; see profiler/nvtx/README.md.
  void (*give_ranges_to)(const profiler::RangeSink* sink);
  /// The program itself uses amp_core, so it needs no injected casts.
  bool program_has_amp_core;
  /// The program asks for the recording itself, so this process is the recorded one, whatever started it.
  bool is_own;
};

/// Called by the stub when a recording begins, with LibTorch mapped; null when it cannot. Exported by libampprof.so.
using AttachFunction = const Hooks* (*)(const Stub& stub);
inline constexpr const char* kAttachSymbol = "ampprof_attach";

}  // namespace ampprof::preload
