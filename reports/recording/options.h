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

/// The options that `ampprof run` passes to the recorder inside the program, and their environment variables.
namespace ampprof::recording {

/// The opt level; amp_core reads it too.
inline constexpr const char* kLevelVariable = "AMP_OPT_LEVEL";

/// The precision in which calls are replayed to measure their error.
enum class ReferenceMode { Off, Float, Double };

inline constexpr std::int64_t kMaxReport = std::int64_t{1} << 30;  ///< default of Options::max_bytes
/// Value of Options::overhead that makes every step take all measurements.
inline constexpr double kEverything = std::numeric_limits<double>::infinity();

/// Value of Options::stop_on that ends the program when an update turns a weight into NaN or inf.
inline constexpr const char* kNonfiniteUpdate = "nonfinite-update";
/// Exit code of a program that Options::stop_on has ended.
inline constexpr int kStopped = 3;

/// Returns the name of a mode on the command line and in the report: "fp32", "fp64" or "off".
std::string name_of(ReferenceMode mode);
/// Returns the mode with this name; empty for other text.
std::optional<ReferenceMode> reference_named(std::string_view text);
std::vector<std::string> reference_names();

/// Splits a list "a,b", without empty parts.
std::vector<std::string> parts_of(std::string_view text);

/// Options of a recording: what is recorded, how, and into which report.
struct Options {
  std::filesystem::path report;
  std::int64_t run = 0;  ///< id of the run's row in the report
  ReferenceMode reference = ReferenceMode::Float;
  bool inherited = false;                             ///< run a high-precision shadow of the step
  bool impact = false;                                ///< measure the loss impact of each error
  std::int64_t impact_bytes = std::int64_t{1} << 30;  ///< memory limit for errors that wait for their gradient
  bool sketch = false;                                ///< record a sketch of each call's outputs
  std::int64_t deep_every = 1;                        ///< every Nth recorded step has inherited error and loss impact
  std::string what_if;                                ///< type or recipe in which each op is judged; "" for none
  std::string screen;                                 ///< comma-separated recipes whose operand errors are measured
  double assume_scale = 65536;                        ///< loss scale for judging the backward in a what-if
  std::int64_t check_ranks = 0;                       ///< every Nth recorded step has parameter checksums; 0: none
  std::int64_t first_step = 0;
  std::optional<std::int64_t> last_step;  ///< last recorded step; empty: no end
  std::int64_t every = 1;
  double delay = 0;                                           ///< seconds before recording begins
  double duration = std::numeric_limits<double>::infinity();  ///< seconds of recording after `delay`
  /// Share of the program's own time that recording may add. Infinite: measures everything in every step. Empty: no
  /// limit either, but measures gradient impact, updates of weights, and ranges of outputs without a reference only in
  /// some steps.
  std::optional<double> overhead;
  std::int64_t ring = 0;                ///< steps kept in memory until an event asks to write them; 0: writes all steps
  std::int64_t max_bytes = kMaxReport;  ///< largest size of the report in bytes
  std::string stop_on;                  ///< event that ends the program: kNonfiniteUpdate; "" for none
  std::optional<double> loss_scale;     ///< loss scale that the program applies itself
  std::optional<std::uint64_t> seed;
  std::vector<std::string> rerun;     ///< ops, or namespaces "myops::", that may be replayed besides LibTorch's own
  std::vector<std::string> remedies;  ///< changes to a Python program, words of recording/remedies.h
  std::string level;                  ///< requested opt level; "" if the program decides
  bool inject_casts = false;          ///< insert the casts of O1 into a program without amp_core
  bool inject_rules = false;          ///< apply a policy to torch.autocast in a program without amp_core
  bool pending_on_cpu = false;        ///< delay statistics of CPU tensors like those of GPU tensors: for tests
  bool estimates = true;              ///< compute the expected size E of an impact; off in bench/ to measure its cost
  bool gpu = true;                    ///< record GPU activities if there is a GPU; not in kCarried

  /// Returns whether the calls of a step that begins at `now_ns` are recorded.
  bool records(std::int64_t step, std::int64_t now_ns) const;
  /// Returns whether a recorded step also has inherited error and loss impact.
  bool is_sampled(std::int64_t step) const;
  /// Returns whether every step takes the measurements that cost as much as a step.
  bool measures_all() const { return overhead == kEverything; }
  /// Returns whether the parameters that a recorded step updates are checked.
  bool checks(std::int64_t step) const;

  bool operator==(const Options&) const = default;
};

/// Points to a member of Options of any supported type.
using Member = std::variant<bool Options::*, std::int64_t Options::*, double Options::*, std::string Options::*,
                            std::filesystem::path Options::*, std::vector<std::string> Options::*,
                            ReferenceMode Options::*, std::optional<std::int64_t> Options::*,
                            std::optional<std::uint64_t> Options::*, std::optional<double> Options::*>;

/// The environment variable that carries a member. `name` is the flag of `ampprof run` that sets the member, from which
/// variable_of() makes the variable's name; or the variable's name itself.
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

/// Returns the flag that sets a member: "--every".
constexpr std::string_view flag_of(Member member) {
  return std::ranges::find(kCarried, member, &Carried::member)->name;
}

/// Returns the variable of a flag: AMPPROF_CHECK_RANKS for "--check-ranks" with the prefix "AMPPROF_".
std::string variable_of(std::string_view flag, std::string_view prefix);

using Variables = std::vector<std::pair<std::string, std::string>>;  ///< name and value

/// Returns the variables for all members that differ from Options{}.
Variables variables_of(const Options& options);

/// Reads the variables through `lookup`, which returns null for an unset one. Returns nothing if no report is named.
/// The command line has checked the values; a malformed one counts as unset.
std::optional<Options> options_from(const std::function<const char*(const char*)>& lookup);

}  // namespace ampprof::recording
