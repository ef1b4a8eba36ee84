// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace ampprof::profiler {

enum class ReferenceMode { Off, Float, Double };

/// What `ampprof run` asked for, as the recorder inside the program reads it from AMPPROF_RECORD_* variables.
struct RecordOptions {
  std::filesystem::path report;
  std::int64_t run = 0;
  ReferenceMode reference = ReferenceMode::Float;
  bool inherited = false;                             ///< follow the step with a high-precision shadow
  bool impact = false;                                ///< what each error does to the loss
  std::int64_t impact_bytes = std::int64_t{1} << 30;  ///< memory for errors that wait for their gradient
  std::int64_t deep_every = 1;                        ///< of the recorded steps, every Nth has these two
  std::string what_if;                                ///< type to judge each op in; "" for the run's own
  double assume_scale = 65536;                        ///< loss scale that a what-if judges the backward at
  std::int64_t first_step = 0;
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  ///< included
  std::int64_t every = 1;
  std::int64_t delay_ns = 0;
  std::int64_t duration_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max();
  std::optional<double> loss_scale;  ///< what the program multiplies its losses by itself
  std::optional<std::uint64_t> seed;
  std::vector<std::string> rerun;  ///< ops, or namespaces "myops::", that may be run again besides LibTorch's own
  std::string level;               ///< opt level that was asked for; "" where the program decides
  bool inject_casts = false;  ///< O1 casts for a program that knows no amp_core
  bool gpu = true;            ///< what GPUs do is recorded, where there are some
  bool late = false;          ///< CPU tensors are measured as those of a device are: for tests without a GPU

  /// Whether the calls of a step that begins at `now_ns` are recorded.
  bool records(std::int64_t step, std::int64_t now_ns) const;
  /// Whether a recorded step has inherited error and loss impact too.
  bool goes_deep(std::int64_t step) const;
};

/// Reads the variables through `lookup`, which returns null for one that is not set. Empty when there is no report to
/// write to. Values are the command line's own and were checked there; one that is malformed counts as not set.
std::optional<RecordOptions> record_options(const std::function<const char*(const char*)>& lookup);

}  // namespace ampprof::profiler
