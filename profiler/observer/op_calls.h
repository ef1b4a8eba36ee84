// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

namespace c10 {
class OperatorHandle;
}

namespace ampprof::profiler {

struct ArgumentsSeen;
class BackwardPasses;
struct Call;
struct CallContext;
class Locked;
struct OpInfo;
class Substeps;
struct SessionCore;
struct ThreadState;

/// Takes each op call of the program from the fallback: where it is, and what it was like. Thread-safe.
class OpCalls {
 public:
  OpCalls(SessionCore& core, Substeps& substeps, BackwardPasses& passes);

  const OpInfo& info_of(const c10::OperatorHandle& op, ThreadState& thread);

  /// Fills in phase, substep and call site. Returns false when the call is not recorded.
  bool begin(CallContext& call);
  /// `overhead_ns`: the time that ampprof took for it.
  void end(CallContext& call, std::int64_t overhead_ns);
  void record(const CallContext& call);
  /// Records the call, at the end of the step where its figures come later.
  void record(Call& call);

 private:
  void find_site(const Locked& state, CallContext& call);
  std::optional<std::int64_t> site_of_first_run(const Locked& state, const CallContext& call);
  std::int64_t signature_of(const Locked& state, const CallContext& call, const ArgumentsSeen& arguments);
  void write_new_sites(const Locked& state, const CallContext& call);
  void note_without_values(CallContext& call, const ArgumentsSeen& arguments);
  void note_own_types();

  SessionCore& core_;
  Substeps& substeps_;
  BackwardPasses& passes_;
  /// O0 was asked of a program that has no engine, and it has kept to it so far.
  std::atomic<bool> expects_fp32_;
};

}  // namespace ampprof::profiler
