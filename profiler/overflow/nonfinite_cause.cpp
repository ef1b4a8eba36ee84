// SPDX-License-Identifier: Apache-2.0
#include "profiler/overflow/nonfinite_cause.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace ampprof::profiler {
namespace {

template <std::size_t kCount>
bool is_among(const std::array<std::string_view, kCount>& families, std::string_view op) {
  return std::ranges::find(families, family_of(op)) != families.end();
}

constexpr std::array<std::string_view, 9> kDivisions{"div",       "true_divide", "divide", "addcdiv",     "reciprocal",
                                                     "remainder", "fmod",        "rsqrt",  "floor_divide"};
constexpr std::array<std::string_view, 4> kLogarithms{"log", "log2", "log10", "xlogy"};
constexpr std::array<std::string_view, 2> kRoots{"sqrt", "rsqrt"};
constexpr std::array<std::string_view, 5> kSums{"add", "sub", "subtract", "rsub", "sum"};
constexpr std::array<std::string_view, 3> kProducts{"mul", "multiply", "dot"};
constexpr std::array<std::string_view, 4> kSoftmaxes{"softmax", "_softmax", "log_softmax", "_log_softmax"};

double largest_of(DType type) {
  if (type == DType::Half) return 65504.0;
  return type == DType::Double ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
}

/// Returns the cause for a call whose inputs have -inf that the program wrote.
NonfiniteCause cause_of_mask(std::string_view op) {
  if (is_among(kSoftmaxes, op)) return NonfiniteCause::AllMasked;
  if (is_among(kSums, op)) return NonfiniteCause::InfMinusInf;
  return is_among(kProducts, op) ? NonfiniteCause::ZeroTimesInf : NonfiniteCause::Unknown;
}

}  // namespace

NonfiniteCause cause_of(const NonfiniteFacts& facts) {
  if (facts.takes_mask) return cause_of_mask(facts.op);
  if (facts.local != nullptr && facts.local->infinite > 0) {
    // If the FP32 result is beyond the largest number of the type, the result itself has overflowed. Otherwise only an
    // intermediate value has.
    const bool is_beyond = facts.reference_amax > largest_of(facts.type);
    return is_beyond ? NonfiniteCause::TooLarge : NonfiniteCause::Unknown;
  }
  const bool may_take_zero = facts.takes_zero.value_or(facts.local != nullptr);
  if (is_among(kRoots, facts.op) && facts.gives_nan.value_or(false)) return NonfiniteCause::RootOfNegative;
  if (is_among(kDivisions, facts.op) && may_take_zero) return NonfiniteCause::DivisionByZero;
  if (is_among(kLogarithms, facts.op)) return NonfiniteCause::LogOfZero;
  // If the result has inf and no NaN, a value did not fit the type. If there is a reference, the value did not fit FP32
  // either.
  const bool is_inf_alone = facts.gives_nan && !*facts.gives_nan;
  return is_inf_alone && !writes_number(facts.op) ? NonfiniteCause::TooLarge : NonfiniteCause::Unknown;
}

std::string_view family_of(std::string_view op) {
  constexpr std::string_view kOfLists = "_foreach_";
  std::string_view family = op.substr(0, op.find('.'));
  if (family.starts_with(kOfLists)) family.remove_prefix(kOfLists.size());
  while (family.size() > 1 && family.ends_with('_')) family.remove_suffix(1);
  return family;
}

NonfiniteOutcome outcome_of(std::string_view op) {
  constexpr std::array<std::string_view, 8> kClamps{"clamp",    "clamp_min", "clamp_max",  "clip",
                                                    "hardtanh", "relu6",     "nan_to_num", "minimum"};
  return is_among(kClamps, op) ? NonfiniteOutcome::Clamped : NonfiniteOutcome::Masked;
}

bool overwrites_unread(std::string_view op) {
  constexpr std::array<std::string_view, 7> kWrites{"zero_",    "fill_",      "copy_",         "normal_",
                                                    "uniform_", "bernoulli_", "_foreach_zero_"};
  return std::ranges::find(kWrites, op.substr(0, op.find('.'))) != kWrites.end();
}

bool writes_number(std::string_view op) {
  constexpr std::array<std::string_view, 10> kWriters{"full",          "full_like",   "new_full",   "fill",
                                                      "scalar_tensor", "masked_fill", "index_fill", "constant_pad_nd",
                                                      "where",         "pad"};
  return is_among(kWriters, op);
}

}  // namespace ampprof::profiler
