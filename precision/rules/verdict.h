// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "precision/rules/device.h"
#include "reports/records/records.h"
#include "reports/records/signature.h"

namespace ampprof {

/// The rule of 2018 (Volta, cuBLAS before 11): dimensions must be multiples of 8, or Tensor Cores are not used.
/// It looks at sizes alone, so an FP32 op is told what it would be as FP16.
enum class Rule2018 { Aligned, NotAligned, NotApplicable };

/// The rule of cuBLAS 11 and cuDNN 7.6.3 and later: every size can use Tensor Cores, some sizes use them well.
enum class RuleToday { Efficient, Inefficient, NotEligible };

/// Names as in JSON: aligned, not_aligned, not_applicable; efficient, inefficient, not_eligible. Never renamed.
std::string_view name_of(Rule2018 rule);
std::string_view name_of(RuleToday rule);

/// What Tensor Cores could do for one GEMM or convolution, from its sizes alone. The answers are separate: a type that
/// Tensor Cores do not take says nothing about sizes, and eligible does not mean used.
struct TensorCoreVerdict {
  using Rule2018 = ampprof::Rule2018;
  using RuleToday = ampprof::RuleToday;

  std::vector<std::pair<std::string, std::int64_t>> dims;  ///< I, J, K (batch); or C_in, C_out, batch, groups
  bool dtype_ok = false;                                   ///< the GPU's Tensor Cores multiply this type
  Rule2018 rule_2018 = Rule2018::NotApplicable;
  RuleToday rule_today = RuleToday::NotEligible;
  std::string offending;      ///< "K = 33"; "I = 33, K = 5"; "" where every size is fine
  std::string padded;         ///< the same dimensions padded: "K = 40"; "" where `offending` is
  double padding_cost = 0.0;  ///< share of extra multiplications after padding: 0.25 for a quarter more
  std::string reason;         ///< one or two sentences for people
  std::string target_gpu;     ///< the GPU that the rules speak of
  std::string executed = "unknown";
  std::string evidence = "no kernel record";
};

/// Judges one op call. `op` is the name with overload, `compute_dtype` the type the op computed in (after AMP's casts).
/// Empty for ops that are no GEMM, no convolution and no backward of one, and where nothing is multiplied.
std::optional<TensorCoreVerdict> tensor_core_verdict(std::string_view op, Phase phase, const Signature& signature,
                                                     DType compute_dtype, const DeviceCaps& device);

}  // namespace ampprof
