// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "precision/probe/plan.h"

/// The protocol between `ampprof run` and `ampprof-probe`: one JSON object per line, so that results survive if the
/// probe is killed. Both programs come from one build, so the format may change at any time.
namespace ampprof::probe {

/// Returns a text that is equal for equal cases only.
std::string text_of(const Case& what);

/// Writes the cases of a plan, one per line.
void write_cases(std::ostream& out, const std::vector<PlannedCase>& cases);

/// Reads the cases. Throws std::runtime_error with a sentence for lines that write_cases() did not write.
std::vector<PlannedCase> cases_from(std::istream& in);

/// The machine on which the probe runs; written as the first line of results.
struct Device {
  std::string name = {};
  std::int64_t cublaslt_version = 0;  ///< 0 if not available

  bool operator==(const Device&) const = default;
};

/// The reason why a case has no result.
struct Failure {
  bool of_time = false;  ///< true if timing failed, false if the query of the algorithm failed
  std::string why = {};

  bool operator==(const Failure&) const = default;
};

/// One result for the case at an index of the plan.
struct Answer {
  std::size_t at = 0;
  std::variant<Timing, GemmAlgorithm, Failure> answer = {};

  bool operator==(const Answer&) const = default;
};

std::string line_of(const Device& device);
std::string line_of(const Answer& answer);

struct Results {
  Device device = {};
  std::vector<Answer> answers = {};
};

/// Reads the results. Only the last line may be cut short.
Results results_from(std::istream& in);

}  // namespace ampprof::probe
