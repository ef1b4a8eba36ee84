// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ampprof::analysis {

/// The call site that a finding blames. A text is "" if unknown.
struct Culprit {
  std::string call_site = {};
  std::string source = {};  ///< file:line
  std::string op = {};
  std::string module = {};
};

/// How sure a finding is. Certain: the report shows cause and effect. Likely: the report shows the effect, and a rule
/// with few exceptions gives the cause. Possible: something harmless looks the same.
enum class Confidence : std::uint8_t { Possible, Likely, Certain };

/// Returns the word for JSON and tables.
std::string_view name_of(Confidence confidence);

/// An action that may cure a finding.
struct Remedy {
  std::string text;                 ///< a sentence; begins with a verb
  std::string code = {};            ///< lines to paste into the program or a policy file; "" if there are none
  std::string policy = {};          ///< line of a policy file that applies the remedy; "" if a policy cannot
  std::string word = {};            ///< argument of `ampprof run --remedy` that applies it; "" if no run can
  std::optional<bool> helped = {};  ///< whether a run with the remedy showed that it helps; empty without such a run
  std::string outcome = {};         ///< a sentence about the run with the remedy; "" without such a run

  /// Returns the policy line or the argument of --remedy with which a run applies the remedy to the unchanged source;
  /// "" if there is neither.
  const std::string& trial() const { return policy.empty() ? word : policy; }
};

/// A fault of a run, with its call site, effect and remedies. Sentences quote the report, which is untrusted.
struct Finding {
  std::string_view kind = {};  ///< filled in from DiagnosisRule::id
  std::vector<std::int64_t> runs = {};
  Culprit culprit = {};
  std::vector<std::string> chain = {};  ///< from cause to effect: call sites, then the outcome
  std::string mechanism = {};           ///< a sentence with numbers
  std::string consequence = {};         ///< a sentence with numbers
  double cost = 0.0;                    ///< share of the run that is spoilt, 0 to 1; README.md defines it for each kind
  Confidence confidence = Confidence::Likely;
  std::vector<Remedy> remedies = {};       ///< the best first
  std::vector<std::string> explains = {};  ///< kinds of other findings that a remedy of this finding cured as well
};

}  // namespace ampprof::analysis
