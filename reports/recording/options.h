// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/recording/stub_variables.h"

/// The requests of `ampprof run` to the recorder inside the program, and the variables that carry them there.
namespace ampprof::recording {

/// The opt level; amp_core reads it too.
inline constexpr const char* kLevelVariable = "AMP_OPT_LEVEL";

/// The precision that calls are run again in, to measure their error.
enum class ReferenceMode { Off, Float, Double };

inline constexpr std::int64_t kMaxReport = std::int64_t{1} << 30;  ///< bytes
/// Options::overhead of a recording that takes all figures in every step.
inline constexpr double kEverything = std::numeric_limits<double>::infinity();

/// Options::stop_on of a program that ends where an update makes NaN or inf of a weight.
inline constexpr const char* kNonfiniteUpdate = "nonfinite-update";
/// Exit code of a program that Options::stop_on has ended.
inline constexpr int kStopped = 3;

/// Returns what the command line and the report call a mode: "fp32", "fp64" or "off".
std::string name_of(ReferenceMode mode);
/// Returns the mode of such a name; empty for any other text.
std::optional<ReferenceMode> reference_named(std::string_view text);
std::vector<std::string> reference_names();

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
  std::optional<std::int64_t> last_step;  ///< included; empty: no end
  std::int64_t every = 1;
  double delay = 0;                                           ///< seconds
  double duration = std::numeric_limits<double>::infinity();  ///< seconds
  /// Share of the program's own time that recording may add; infinite: all that was asked for in every step. Empty:
  /// likewise, but in some steps alone gradient impact, updates of weights, and
  /// ranges of outputs that are compared with nothing.
  std::optional<double> overhead;
  std::int64_t ring = 0;                ///< steps kept in memory until something happens; 0: all are written
  std::int64_t max_bytes = kMaxReport;  ///< of the report
  std::string stop_on;                  ///< what ends the program: kNonfiniteUpdate; "" for nothing
  std::optional<double> loss_scale;     ///< what the program multiplies its losses by itself
  std::optional<std::uint64_t> seed;
  std::vector<std::string> rerun;     ///< ops, or namespaces "myops::", that may be run again besides LibTorch's own
  std::vector<std::string> remedies;  ///< what to change about a Python program, words of recording/remedies.h
  std::string level;                  ///< opt level that was asked for; "" where the program decides
  bool inject_casts = false;          ///< O1 casts for a program that knows no amp_core
  bool inject_rules = false;          ///< a policy for the torch.autocast of a program that knows no amp_core
  bool pending_on_cpu = false;        ///< figures of CPU tensors come late, as those of a device do: for tests
  bool estimates = true;  ///< an impact has its expected size E too; without, its cost can be told: for bench/
  bool gpu = true;        ///< what GPUs do is recorded, where there are some; no variable of its own

  /// Returns whether the calls of a step that begins at `now_ns` are recorded.
  bool records(std::int64_t step, std::int64_t now_ns) const;
  /// Returns whether a recorded step has inherited error and loss impact too.
  bool is_sampled(std::int64_t step) const;
  /// Returns whether figures that cost as much as a step are taken of every step.
  bool measures_all() const { return overhead == kEverything; }
  /// Returns whether the parameters that a recorded step updates are checked.
  bool checks(std::int64_t step) const;

  bool operator==(const Options&) const = default;
};

/// Points to a member of Options, of any type that a variable can carry.
using Member = std::variant<bool Options::*, std::int64_t Options::*, double Options::*, std::string Options::*,
                            std::filesystem::path Options::*, std::vector<std::string> Options::*,
                            ReferenceMode Options::*, std::optional<std::int64_t> Options::*,
                            std::optional<std::uint64_t> Options::*, std::optional<double> Options::*>;

/// Names the variable of a member: by the flag of `ampprof run` that sets it, or by itself.
struct Carried {
  std::string_view name;
  Member member;
};

// To add an option, add a member of Options and a line here.
inline constexpr Carried kCarried[] = {
    {kReportVariable, &Options::report},
    {kRunVariable, &Options::run},
    {"--reference", &Options::reference},
    {"--inherited", &Options::inherited},
    {"--impact", &Options::impact},
    {"--sketch", &Options::sketch},
    {"--impact-memory", &Options::impact_bytes},
    {"AMPPROF_RECORD_DEEP_EVERY", &Options::deep_every},
    {"--what-if", &Options::what_if},
    {"--screen", &Options::screen},
    {"--assume-scale", &Options::assume_scale},
    {"--check-ranks", &Options::check_ranks},
    {"AMPPROF_RECORD_FIRST_STEP", &Options::first_step},
    {"AMPPROF_RECORD_LAST_STEP", &Options::last_step},
    {"--every", &Options::every},
    {"--delay", &Options::delay},
    {"--duration", &Options::duration},
    {"--overhead", &Options::overhead},
    {"--ring", &Options::ring},
    {"--max-report", &Options::max_bytes},
    {"--stop-on", &Options::stop_on},
    {"--loss-scale", &Options::loss_scale},
    {"--seed", &Options::seed},
    {"--rerun", &Options::rerun},
    {"--remedy", &Options::remedies},
    {kLevelVariable, &Options::level},
    {"AMPPROF_RECORD_INJECT", &Options::inject_casts},
    {"AMPPROF_RECORD_INJECT_RULES", &Options::inject_rules},
    {"AMPPROF_PENDING", &Options::pending_on_cpu},
    {"AMPPROF_ESTIMATES", &Options::estimates},
};

/// Returns the flag that sets a member, as "--every".
constexpr std::string_view flag_of(Member member) {
  return std::ranges::find(kCarried, member, &Carried::member)->name;
}

/// Returns the variable of a flag: AMPPROF_CHECK_RANKS for "--check-ranks" with the prefix "AMPPROF_".
std::string variable_of(std::string_view flag, std::string_view prefix);

using Variables = std::vector<std::pair<std::string, std::string>>;  ///< name and value

/// Returns the variables that say what differs from Options{}.
Variables variables_of(const Options& options);

/// Reads the variables through `lookup`, which returns null for one that is not set. Returns nothing when there is no
/// report to write to. The command line has checked the values; one that is malformed counts as not set.
std::optional<Options> options_from(const std::function<const char*(const char*)>& lookup);

}  // namespace ampprof::recording
