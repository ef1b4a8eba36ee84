// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "reports/records/records.h"

namespace c10 {
struct FunctionSchema;
}

namespace ampprof::profiler {

struct OpInfo;

/// What the observer remembers of one thread of the program: what it is inside of, and what it met lately.
///
/// To find it costs more than to read it, so an op call looks it up once and carries it along.
struct ThreadState {
  struct Scope {
    std::int32_t name;
    const void* identity;
  };
  struct Met {
    const c10::FunctionSchema* schema = nullptr;
    const OpInfo* info = nullptr;
  };

  std::vector<Scope> scopes;
  int optimizer_depth = 0;
  std::vector<CastRecord> casts;  ///< that AMP inserted in the call in progress
  bool in_call = false;
  std::int64_t last_segment = 0;  ///< of the last call that was recorded
  std::int64_t last_site = 0;
  bool naming = false;       ///< walking a module tree calls functions that report modules themselves
  std::int32_t number;       ///< small, from 0 in order of first use
  int unmeasured_calls = 0;  ///< since the time that ampprof takes was last measured
  std::array<Met, 256> ops{};

  static ThreadState& current();
  /// The number of the thread that the operating system knows by `os_thread` (gettid()), or last knew; 0 where it never
  /// came by.
  static std::int32_t number_of(std::uint32_t os_thread);

 private:
  ThreadState();
};

}  // namespace ampprof::profiler
