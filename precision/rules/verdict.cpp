// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/verdict.h"

#include "precision/rules/rule.h"

namespace ampprof {
namespace {

/// "aten::addmm_.out" is addmm to the rules.
std::string_view plain_name(std::string_view op) {
  if (const auto colons = op.find("::"); colons != std::string_view::npos) op.remove_prefix(colons + 2);
  op = op.substr(0, op.find('.'));
  if (op.size() > 1 && op.ends_with('_')) op.remove_suffix(1);
  return op;
}

std::string listed(const Dimensions& dimensions) {
  std::string text;
  for (const auto& [name, size] : dimensions) {
    if (!text.empty()) text += ", ";
    text += name + " = " + std::to_string(size);
  }
  return text;
}

Dimensions padded_to(Dimensions dimensions, std::int64_t step) {
  for (auto& [name, size] : dimensions) size = round_up(size, step);
  return dimensions;
}

/// Names the sizes that are to blame: today's rule first, since it knows the GPU; the rule of 2018 where today's has
/// nothing to say about sizes.
template <typename Grade>
void blame(TensorCoreVerdict& verdict, const Judgement<Grade>& judgement) {
  verdict.offending = listed(judgement.misaligned);
  verdict.padded = listed(padded_to(judgement.misaligned, judgement.step));
  verdict.padding_cost = padding_cost(judgement.misaligned, judgement.step);
}

void add_sentence(std::string& text, std::string_view sentence) {
  if (sentence.empty()) return;
  if (!text.empty()) text += ' ';
  text += sentence;
}

}  // namespace

std::string_view name_of(Rule2018 rule) {
  switch (rule) {
    case Rule2018::Aligned:
      return "aligned";
    case Rule2018::NotAligned:
      return "not_aligned";
    case Rule2018::NotApplicable:
      break;
  }
  return "not_applicable";
}

std::string_view name_of(RuleToday rule) {
  switch (rule) {
    case RuleToday::Efficient:
      return "efficient";
    case RuleToday::Inefficient:
      return "inefficient";
    case RuleToday::NotEligible:
      break;
  }
  return "not_eligible";
}

std::optional<Product> product_of(std::string_view op, const Signature& signature) {
  const auto name = plain_name(op);
  if (auto product = gemm_product(name, signature)) return product;
  return convolution_product(name, signature);
}

std::optional<TensorCoreVerdict> tensor_core_verdict(std::string_view op, Phase phase, const Signature& signature,
                                                     DType compute_dtype, const DeviceCaps& device) {
  const auto product = product_of(op, signature);
  if (!product) return std::nullopt;
  const auto then = rule_2018(*product, compute_dtype);
  const auto now = rule_today(*product, compute_dtype, device);

  TensorCoreVerdict verdict;
  verdict.dims = product->dims;
  verdict.dtype_ok = has_tensor_cores(device, compute_dtype);
  verdict.rule_2018 = then.grade;
  verdict.rule_today = now.grade;
  verdict.target_gpu = device.name;
  verdict.reason = now.reason;
  if (!now.misaligned.empty()) {
    blame(verdict, now);
  } else if (!then.misaligned.empty()) {
    blame(verdict, then);
    add_sentence(verdict.reason, then.reason);
  }
  if (phase == Phase::Backward && !verdict.offending.empty()) {
    add_sentence(verdict.reason, "The size comes from the forward op: pad it there.");
  }
  return verdict;
}

}  // namespace ampprof
