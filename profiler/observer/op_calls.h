// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/observer/autocast_casts.h"
#include "profiler/scopes/gradient_leaves.h"
#include "profiler/source/source_places.h"
#include "reports/records/op_call.h"

namespace c10 {
class OperatorHandle;
}

namespace ampprof::profiler {

struct ArgumentsSeen;
class BackwardPasses;
struct Call;
struct CallContext;
class Locked;
class MissingNotes;
struct OpInfo;
class Segments;
struct SessionCore;
struct ThreadState;

/// Handles each op call of the program for the boxed fallback: finds its phase, segment and call site, and records it.
/// Thread-safe.
class OpCalls {
 public:
  OpCalls(SessionCore& core, Segments& segments, BackwardPasses& passes, SourcePlaces& sources);

  const OpInfo& info_of(const c10::OperatorHandle& op, ThreadState& thread);

  /// Fills in phase, segment and call site. Returns false if the call is not recorded.
  bool begin(CallContext& call);
  /// Ends a recorded call. `overhead_ns`: ampprof's own time for the call.
  void end(CallContext& call, std::int64_t overhead_ns);
  /// Returns the line of the user's code that makes this call, as "file:line"; "" while it is unknown.
  std::string line_text_of(const CallContext& call);
  /// Returns the leaves with gradients and their versions before the call, for notice_written().
  std::vector<GradientLeaves::Versioned> leaves_with_gradients(const CallContext& call);
  /// Notices an update by a call that wrote to some of `leaves` although its schema does not say so. Called when the
  /// call has ended.
  void notice_written(const CallContext& call, const std::vector<GradientLeaves::Versioned>& leaves);
  /// Ends a call that is not recorded.
  void end_unrecorded(CallContext& call);

  /// Returns the recorder of the casts that torch.autocast makes in op calls.
  AutocastCasts& casts() { return casts_; }

 private:
  void notice_gpu();
  void flush_devices_at_exit();
  /// Determines phase and segment. Returns whether the call is recorded.
  bool enter_step(const Locked& state, CallContext& call, const ArgumentsSeen& arguments);
  /// Determines module, call site and signature of a recorded call. Appends the rows of new call sites.
  void enter_place(const Locked& state, CallContext& call, const ArgumentsSeen& arguments,
                   std::vector<CallSite>& new_sites);
  /// Determines the call site, and appends the row of a new one.
  void find_site(const Locked& state, CallContext& call, std::vector<CallSite>& new_sites);
  std::optional<std::int64_t> site_of_first_run(const Locked& state, const CallContext& call);
  std::int64_t signature_of(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
  void write_new_sites(std::vector<CallSite> sites, const CallContext& call);
  SourcePlaces::Id line_of(const CallContext& call);
  void link_nodes(const CallContext& call);
  void note_unreadable(CallContext& call, const ArgumentsSeen& arguments);
  void note_own_types();

  SessionCore& core_;
  Segments& segments_;
  BackwardPasses& passes_;
  SourcePlaces& sources_;
  AutocastCasts casts_{core_};
  /// O0 was requested, the program has no AMP engine, and all calls so far are in FP32.
  std::atomic<bool> expects_fp32_;
  std::atomic<bool> flushes_devices_{false};  ///< the exit handler that reads statistics from devices is registered
};

/// Returns the rows of call sites that were created since the last call, without their source lines. `op`: the op whose
/// call has created them.
std::vector<CallSite> new_sites(const Locked& state, const std::string& op);

/// Hides a call that is captured into a CUDA graph from the stages, because kernels that stages launch would become
/// part of the graph.
void note_captured(MissingNotes& missing, CallContext& call);

}  // namespace ampprof::profiler
