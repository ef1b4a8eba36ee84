// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::analysis {

/// The place that a finding blames. Texts are "" where unknown.
struct Culprit {
  std::string call_site = {};
  std::string source = {};  ///< file:line
  std::string op = {};
  std::string module = {};
};

/// How sure a finding is. Certain: the report shows cause and effect. Likely: it shows the effect, and the cause by a
/// rule that has few exceptions. Possible: something that looks the same is harmless.
enum class Confidence : std::uint8_t { Possible, Likely, Certain };

/// Returns the word of JSON and tables.
std::string_view name_of(Confidence confidence);

/// A thing that the user can do about a finding.
struct Remedy {
  std::string text;                 ///< a sentence; begins with a verb
  std::string code = {};            ///< lines to paste into the program or a policy file; "" where there are none
  std::string policy = {};          ///< line of a policy file that does it; "" where a policy cannot
  std::string word = {};            ///< word of `ampprof run --remedy` that does it; "" where none can
  std::optional<bool> helped = {};  ///< in a run of the program; empty: nobody tried
  std::string outcome = {};         ///< a sentence about that run

  /// Returns what a run can apply without a change of the source; "" where that is nothing.
  const std::string& trial() const { return policy.empty() ? word : policy; }
};

/// Says what is wrong with a run, where, and what to do. Sentences hold texts of the report, which is untrusted.
struct Finding {
  std::string_view kind = {};  ///< filled in from DiagnosisRule::id
  std::vector<std::int64_t> runs = {};
  Culprit culprit = {};
  std::vector<std::string> chain = {};  ///< from cause to effect: call sites, then what became of it
  std::string mechanism = {};           ///< a sentence with figures
  std::string consequence = {};         ///< likewise
  double cost = 0.0;                    ///< share of what the run is for that is spoilt, 0 to 1; README.md says of what
  Confidence confidence = Confidence::Likely;
  std::vector<Remedy> remedies = {};       ///< the best first
  std::vector<std::string> explains = {};  ///< kinds of other findings that a remedy of this one cured, too
};

}  // namespace ampprof::analysis
