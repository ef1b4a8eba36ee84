// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "precision/kernel_names/classify.h"
#include "precision/rules/rule.h"
#include "precision/rules/tiling.h"
#include "reports/records/dtype.h"
#include "reports/records/phase.h"
#include "reports/records/signature.h"

namespace ampprof::rules {

/// Verdict by the rule of 2018 (Volta, cuBLAS before 11): dimensions must be multiples of 8, or Tensor Cores are not
/// used. Judges only sizes; an FP32 op is judged as if it were FP16.
enum class Rule2018 { Aligned, NotAligned, NotApplicable };

/// Verdict by the rule of cuBLAS 11, cuDNN 7.6.3 and later: every size can use Tensor Cores, but some use them badly.
enum class RuleToday { Efficient, Inefficient, NotEligible };

/// Returns names for JSON, never renamed: aligned, not_aligned, not_applicable; efficient, inefficient, not_eligible.
std::string_view name_of(Rule2018 rule);
std::string_view name_of(RuleToday rule);

/// Tells whether one GEMM, convolution or recurrent network can use Tensor Cores, judged by its sizes and layout. The
/// fields are independent: a type without Tensor Cores does not affect the verdict on sizes, and eligible does not mean
/// used.
struct TensorCoreVerdict {
  Dimensions dims;        ///< M, N, K (batch, vocabulary); C_in, C_out, batch, groups; hidden, input, batch; ...
  bool dtype_ok = false;  ///< whether the GPU's Tensor Cores multiply this type
  Rule2018 rule_2018 = Rule2018::NotApplicable;
  RuleToday rule_today = RuleToday::NotEligible;
  std::string offending;      ///< "K = 33"; "M = 33, K = 5"; "" if every size is fine
  std::string padded;         ///< `offending` sizes after padding: "K = 40"; "" if `offending` is ""
  double padding_cost = 0.0;  ///< share of extra multiplications after padding: 0.25 means a quarter more
  std::optional<double> padded_extra_flops = {};  ///< extra operations per call; empty if the sizes are unknown
  std::optional<double> padded_extra_bytes = {};  ///< extra bytes of operands and result per call; empty if unknown
  std::optional<Tiling> tiling = {};              ///< estimate; empty if the sizes are unknown
  std::vector<Finding> findings = {};             ///< findings of today's rules, followed by those of 2018
  std::string reason;                             ///< sentences for the user
  std::string why = {};                           ///< Finding::brief if today's rules find the op not eligible, else ""
  std::string target_gpu;                         ///< the GPU for which the rules were checked
  kernel_names::Executed executed = kernel_names::Executed::Unknown;
  std::string evidence = "no kernel record";
};

/// Tells whether Tensor Cores do not support the op's type, so that padding its sizes does not help.
bool is_refused_for_type(const TensorCoreVerdict& verdict);

/// Tells whether the op is an embedding, which has no matmul.
bool is_embedding(const TensorCoreVerdict& verdict);

/// Judges one op call. `op` is the name with overload, `compute_dtype` the type in which the op computed (after AMP's
/// casts). `vocabularies` are the vocabulary sizes of embeddings in the same run. Empty for ops that are neither a
/// matmul, nor the backward of a matmul, nor an embedding, and for empty products.
std::optional<TensorCoreVerdict> tensor_core_verdict(std::string_view op, Phase phase, const Signature& signature,
                                                     DType compute_dtype, const gpu::DeviceCaps& device,
                                                     std::span<const std::int64_t> vocabularies = {});

}  // namespace ampprof::rules
