// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <variant>
#include <vector>

#include "precision/probe/plan.h"

/// The language between `ampprof run` and `ampprof-probe`: JSON, one object a line, so that what was measured is
/// there even when the probe is killed. Both are of one build; the format is private.
namespace ampprof::probe {

/// Returns a text that is the same for equal cases alone.
std::string text_of(const Case& what);

/// The cases of a plan, a line each.
void write_cases(std::ostream& out, const std::vector<PlannedCase>& cases);

/// Throws std::runtime_error with a sentence for what write_cases() did not write.
std::vector<PlannedCase> cases_from(std::istream& in);

/// Which machine answers; comes first.
struct Device {
  std::string name = {};
  std::int64_t cublaslt_version = 0;  ///< 0: there is none

  bool operator==(const Device&) const = default;
};

/// Why there is neither.
struct Failure {
  bool of_time = false;  ///< else of the algorithm
  std::string why = {};

  bool operator==(const Failure&) const = default;
};

/// One answer about the case at a place of the plan.
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

/// Reads what was written; a line that was cut short is the last one.
Results results_from(std::istream& in);

}  // namespace ampprof::probe
