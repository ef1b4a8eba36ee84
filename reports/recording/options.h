// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/recording/stub_variables.h"

/// The requests of `ampprof run` to the recorder inside the program, and the variables that carry them there.
namespace ampprof::recording {

/// The opt level; amp_core reads it too.
inline constexpr const char* kLevelVariable = "AMP_OPT_LEVEL";

/// The precision that calls are run again in, to measure their error.
enum class ReferenceMode { Off, Float, Double };

/// Returns the mode that the command line calls "off", "fp32" or "fp64"; empty for any other text.
std::optional<ReferenceMode> reference_named(std::string_view text);

/// Returns the parts of a list "a,b", without empty ones.
std::vector<std::string> parts_of(std::string_view text);

/// Says what to record, how, and where to.
struct Options {
  std::filesystem::path report;
  std::int64_t run = 0;  ///< id of the run's row in the report
  ReferenceMode reference = ReferenceMode::Float;
  bool inherited = false;                             ///< follow the step with a high-precision shadow
  bool impact = false;                                ///< what each error does to the loss
  std::int64_t impact_bytes = std::int64_t{1} << 30;  ///< memory for errors that wait for their gradient
  bool sketch = false;                                ///< leave a sketch of each call's outputs
  std::int64_t deep_every = 1;                        ///< of the recorded steps, every Nth has these two
  std::string what_if;                                ///< type to judge each op in, or a recipe; "" for the run's own
  std::string screen;                                 ///< recipes whose operand errors are measured, by commas
  double assume_scale = 65536;                        ///< loss scale that a what-if judges the backward at
  std::int64_t check_ranks = 0;                       ///< of the recorded steps, every Nth checks parameters; 0: none
  std::int64_t first_step = 0;
  std::int64_t last_step = std::numeric_limits<std::int64_t>::max();  ///< included
  std::int64_t every = 1;
  std::int64_t delay_ns = 0;
  std::int64_t duration_ns = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_bytes = std::numeric_limits<std::int64_t>::max();  ///< of the report
  std::optional<double> loss_scale;  ///< what the program multiplies its losses by itself
  std::optional<std::uint64_t> seed;
  std::vector<std::string> rerun;  ///< ops, or namespaces "myops::", that may be run again besides LibTorch's own
  std::string level;               ///< opt level that was asked for; "" where the program decides
  bool inject_casts = false;       ///< O1 casts for a program that knows no amp_core
  bool inject_rules = false;       ///< a policy for the torch.autocast of a program that knows no amp_core
  bool pending_on_cpu = false;     ///< figures of CPU tensors come late, as those of a device do: for tests
  bool estimates = true;           ///< an impact has its expected size E too; without, its cost can be told: for bench/
  bool gpu = true;                 ///< what GPUs do is recorded, where there are some; no variable of its own

  /// Returns whether the calls of a step that begins at `now_ns` are recorded.
  bool records(std::int64_t step, std::int64_t now_ns) const;
  /// Returns whether a recorded step has inherited error and loss impact too.
  bool is_sampled(std::int64_t step) const;
  /// Returns whether the parameters that a recorded step updates are checked.
  bool checks(std::int64_t step) const;

  bool operator==(const Options&) const = default;
};

using Variables = std::vector<std::pair<std::string, std::string>>;  ///< name and value

/// Returns the variables that say what differs from Options{}.
Variables variables_of(const Options& options);

/// Reads the variables through `lookup`, which returns null for one that is not set. Returns nothing when there is no
/// report to write to. The command line has checked the values; one that is malformed counts as not set.
std::optional<Options> options_from(const std::function<const char*(const char*)>& lookup);

}  // namespace ampprof::recording
