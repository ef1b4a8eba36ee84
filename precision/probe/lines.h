// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "precision/probe/plan.h"

/// The protocol between `ampprof run` and `ampprof-probe`: one JSON object per line, so that results survive when the
/// probe is killed. Both programs come from one build; the format is private.
namespace ampprof::probe {

/// Returns a text that is equal only for equal cases.
std::string text_of(const Case& what);

/// Writes the cases of a plan, one per line.
void write_cases(std::ostream& out, const std::vector<PlannedCase>& cases);

/// Reads them. Throws std::runtime_error with a sentence for lines that write_cases() did not write.
std::vector<PlannedCase> cases_from(std::istream& in);

/// The machine that answers; the first line.
struct Device {
  std::string name = {};
  std::int64_t cublaslt_version = 0;  ///< 0: not available

  bool operator==(const Device&) const = default;
};

/// Why a case has no answer.
struct Failure {
  bool of_time = false;  ///< of the timing; else of the algorithm
  std::string why = {};

  bool operator==(const Failure&) const = default;
};

/// One answer to the case at a place of the plan.
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

/// Reads the answers. Only the last line may be cut short.
Results results_from(std::istream& in);

}  // namespace ampprof::probe
