// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "precision/gpu/device_caps.h"
#include "precision/rules/matmuls/matmul.h"

namespace ampprof::rules {

/// The hardware and libraries for which a rule was written. In 2018 (Volta) a wrong size meant no Tensor Cores. From
/// cuBLAS 11 on every size can use Tensor Cores, but some sizes use them badly.
enum class RuleAge { Of2018, Today };

/// Conditions for which the rules check a matmul: rule age, type and GPU.
struct RuleConditions {
  RuleAge age = RuleAge::Today;
  DType dtype = DType::Unknown;  ///< type in which the op computed, after AMP's casts
  const gpu::DeviceCaps& device;
  std::int64_t multiple = 1;  ///< sizes and leading dimensions should be multiples of this
};

/// Severity of a finding.
enum class Grade {
  Hint,         ///< information; Tensor Cores are used anyway
  Inefficient,  ///< today: Tensor Cores badly utilized; in 2018: not used
  NotEligible,  ///< Tensor Cores cannot be used, whatever the sizes
};

/// A number that should be changed: "K = 33" should be 40.
struct Fault {
  std::string name;
  std::int64_t is = 0;
  std::int64_t wanted = 0;
  std::optional<std::size_t> dimension = {};  ///< index in Matmul::alignable if the number is one of these sizes
};

/// The result of a rule for a matmul.
struct Finding {
  std::string_view rule = {};    ///< set from Rule::id
  RuleAge age = RuleAge::Today;  ///< set from RuleConditions::age
  Grade grade = Grade::Hint;
  std::vector<Fault> faults = {};
  std::string reason = {};  ///< sentences for the user
  std::string brief = {};   ///< a few words for tables: "depthwise"; only if the grade is NotEligible today
};

/// One Tensor Core rule: a pure function with a name.
///
/// To add one: write `<id>.cpp` here, name it in all_rules.cpp, describe it in README.md and test it in
/// tests/precision/rules/<id>_test.cpp. The test `architecture.rules` tells what is missing.
struct Rule {
  std::string_view id;       ///< in JSON: never rename
  std::string_view summary;  ///< one line, for lists and tooltips

  /// Returns the finding; empty if the rule does not apply to this matmul. Called once for each age.
  std::optional<Finding> (*check)(const Matmul&, const RuleConditions&);
};

/// Returns all rules; those that make a matmul not eligible come first.
std::span<const Rule> all_rules();

/// Returns the findings of all rules for a matmul. If a rule finds the matmul not eligible, returns only such findings,
/// since sizes do not matter in that case.
std::vector<Finding> findings_of(const Matmul& matmul, const RuleConditions& demand);

/// Returns the conditions for an age. Multiples are 8 for 2018, and whole blocks of the GPU's alignment today.
RuleConditions rule_conditions_of(RuleAge age, DType dtype, const gpu::DeviceCaps& device);

std::int64_t round_up(std::int64_t value, std::int64_t step);

/// Returns the sizes in Matmul::alignable that are not a multiple of `step`.
std::vector<Fault> misaligned(const Matmul& matmul, std::int64_t step);

/// Returns the sentence that recommends multiples for misaligned sizes.
std::string sizes_wanted(const RuleConditions& demand);

/// Returns the recommended multiples in words: "multiples of 8".
std::string multiples_of(const RuleConditions& demand);

std::string_view name_for_people(DType dtype);

}  // namespace ampprof::rules
