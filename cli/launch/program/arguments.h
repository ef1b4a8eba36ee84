// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Parses the values of the flags of `ampprof run`. Each function throws UsageError with a sentence that shows the
/// right form.
namespace ampprof::cli {

/// Steps `first` to `last`, inclusive, counted from 1. Without `last`, the range has no end.
struct StepRange {
  std::int64_t first = 1;
  std::optional<std::int64_t> last;

  bool operator==(const StepRange&) const = default;
};

/// Parses "3:10", "3:", ":10".
StepRange steps_from(std::string_view text);

/// Parses "O0,O2" in any case. Returns each level once, in the given order.
std::vector<std::string> levels_from(std::string_view text);

/// Parses "500M", "2GB", "1GiB", "4096". Prefixes M and G are powers of 1000, Mi and Gi powers of 1024. `flag` names
/// the flag in errors.
std::int64_t size_from(std::string_view flag, std::string_view text);

/// Parses "5%" as 0.05 and "off" as infinity. Throws UsageError for other text.
double overhead_from(std::string_view text);

/// Parses "90", "90s", "500ms", "30m" and "1.5h" into seconds. `flag` names the flag in errors. Throws UsageError for
/// other text, and for 0 unless `may_be_zero`.
double seconds_from(std::string_view flag, std::string_view text, bool may_be_zero = false);

/// An input tensor for a TorchScript model, "f32[8,3,32,32]": type f32, f64, f16, bf16 or i64, then the shape.
struct InputSpec {
  std::string dtype;
  std::vector<std::int64_t> shape;

  bool operator==(const InputSpec&) const = default;
};

InputSpec input_from(std::string_view text);

/// Parses the words of `--remedy`: "init_scale=1024,master_weights".
std::vector<std::string> remedies_from(std::string_view text);

/// Returns the number of the remedy `name`, "1024" for "init_scale=1024"; "" if `remedies` lacks that name.
std::string number_of_remedy(const std::vector<std::string>& remedies, std::string_view name);

/// Checks ranks such as "0,1,8:16:4" or "all", and returns them unchanged.
std::string record_ranks_from(std::string_view text);

/// Replaces %p, %h and %r by this process's id, the host's name and the rank ($RANK, else 0); %% is a percent sign.
std::string expanded_report_name(std::string_view pattern);

}  // namespace ampprof::cli
