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

/// Whose rule it is: that of Volta's time, where a wrong size meant no Tensor Cores, or that of cuBLAS 11 and later,
/// where every size can use them and some use them well.
enum class RuleAge { Of2018, Today };

/// A question to the rules: by which age's standards, and for which GPU.
struct Demand {
  RuleAge age = RuleAge::Today;
  DType dtype = DType::Unknown;  ///< the type that the op computed in, after AMP's casts
  const gpu::DeviceCaps& device;
  std::int64_t multiple = 1;  ///< what sizes and leading dimensions should be multiples of
};

enum class Grade {
  Hint,         ///< good to know; Tensor Cores are used all the same
  Inefficient,  ///< today: fed badly; in 2018: not used
  NotEligible,  ///< nothing for Tensor Cores here, whatever the sizes
};

/// A number that is not as it should be: "K = 33", which should be 40.
struct Fault {
  std::string name;
  std::int64_t is = 0;
  std::int64_t wanted = 0;
  std::optional<std::size_t> dimension = {};  ///< the size it is in Matmul::alignable, where it is one
};

/// A rule's statement about a matmul.
struct Finding {
  std::string_view rule = {};    ///< filled in from Rule::id
  RuleAge age = RuleAge::Today;  ///< filled in from Demand::age
  Grade grade = Grade::Hint;
  std::vector<Fault> faults = {};
  std::string reason = {};  ///< a sentence for people
};

/// One Tensor Core rule: a pure function with a name.
///
/// To add one: write `<id>.cpp` here, name it in all_rules.cpp, describe it in README.md and test it in
/// tests/precision/rules/<id>_test.cpp. The test `architecture.rules` says what is missing.
struct Rule {
  std::string_view id;       ///< in JSON: never rename
  std::string_view summary;  ///< one line, for lists and tooltips

  /// Empty when the rule has nothing to say about this matmul. Is asked once for each age.
  std::optional<Finding> (*check)(const Matmul&, const Demand&);
};

/// All rules; what makes a matmul not eligible comes first.
std::span<const Rule> all_rules();

/// Returns what all rules say about a matmul. Where one finds it not eligible, only such findings: sizes do not matter
/// then.
std::vector<Finding> findings_of(const Matmul& matmul, const Demand& demand);

/// Returns the question, with what sizes should be multiples of: 8 in 2018, today whole blocks of the GPU's alignment.
Demand demand_of(RuleAge age, DType dtype, const gpu::DeviceCaps& device);

std::int64_t round_up(std::int64_t value, std::int64_t step);

/// The sizes of Matmul::alignable, of those at `places`, that are no multiple of `step`.
std::vector<Fault> misaligned(const Matmul& matmul, std::int64_t step);

/// The sentence that goes with misaligned sizes.
std::string sizes_wanted(const Demand& demand);

/// "multiples of 8"
std::string multiples_of(const Demand& demand);

std::string_view name_for_people(DType dtype);

}  // namespace ampprof::rules
