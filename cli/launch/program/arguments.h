// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reads the values of the flags of `ampprof run`. Each function throws UsageError with a sentence that shows the right
/// form.
namespace ampprof::cli {

/// Steps A to B, both included, counted from 1; no end where there is none.
struct StepRange {
  std::int64_t first = 1;
  std::optional<std::int64_t> last;

  bool operator==(const StepRange&) const = default;
};

/// "3:10", "3:", ":10".
StepRange steps_from(std::string_view text);

/// "O0,O2", case does not matter; each level once, in the order given.
std::vector<std::string> levels_from(std::string_view text);

/// "500M", "2GB", "1GiB", "4096": decimal prefixes are powers of 1000, with an i of 1024. `flag` is the one that `text`
/// was given to.
std::int64_t size_from(std::string_view flag, std::string_view text);

/// "5%": 0.05; "off": infinity. Throws UsageError for other text.
double overhead_from(std::string_view text);

/// "90", "90s", "30m", "1.5h", in seconds. `flag` is the one that `text` was given to.
double seconds_from(std::string_view flag, std::string_view text);

/// A tensor to feed to a TorchScript model, "f32[8,3,32,32]": type f32, f64, f16, bf16 or i64, then the shape.
struct InputSpec {
  std::string dtype;
  std::vector<std::int64_t> shape;

  bool operator==(const InputSpec&) const = default;
};

InputSpec input_from(std::string_view text);

/// Returns the words of `--remedy`: "init_scale=1024,master_weights".
std::vector<std::string> remedies_from(std::string_view text);

/// Returns the number of a word that has one, "1024" of "init_scale=1024"; "" where the word is not among them.
std::string number_of_remedy(const std::vector<std::string>& remedies, std::string_view name);

/// Returns the ranks "0,1,8:16:4" or "all", as they are.
std::string record_ranks_from(std::string_view text);

/// %p, %h and %r replaced by this process's id, the host's name and the rank ($RANK, else 0); %% is a percent sign.
std::string expanded_report_name(std::string_view pattern);

}  // namespace ampprof::cli
