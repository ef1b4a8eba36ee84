// SPDX-License-Identifier: Apache-2.0
#include "precision/rules/verdict.h"

#include <algorithm>

namespace ampprof::rules {
namespace {

std::string listed(const std::vector<Fault>& faults, std::int64_t Fault::*number) {
  std::string text;
  for (const Fault& fault : faults) {
    if (!text.empty()) text += ", ";
    text += fault.name + " = " + std::to_string(fault.*number);
  }
  return text;
}

Grade worst_of(const std::vector<Finding>& findings) {
  Grade worst = Grade::Hint;
  for (const Finding& finding : findings) worst = std::max(worst, finding.grade);
  return worst;
}

std::vector<Fault> faults_of(const std::vector<Finding>& findings) {
  std::vector<Fault> faults;
  for (const Finding& finding : findings) faults.insert(faults.end(), finding.faults.begin(), finding.faults.end());
  return faults;
}

double total(const std::vector<Term>& terms, const Dimensions& sizes) {
  double sum = 0;
  for (const Term& term : terms) sum += term.at(sizes);
  return sum;
}

/// Sets the misaligned sizes and the cost of padding them.
void blame(TensorCoreVerdict& verdict, const Matmul& matmul, const std::vector<Fault>& faults, DType dtype) {
  verdict.offending = listed(faults, &Fault::is);
  verdict.padded = listed(faults, &Fault::wanted);
  Dimensions padded = matmul.alignable;
  for (const Fault& fault : faults) {
    if (fault.dimension) padded.at(*fault.dimension).second = fault.wanted;
  }
  const double before = total(matmul.multiplications, matmul.alignable);
  const double after = total(matmul.multiplications, padded);
  if (before > 0) verdict.padding_cost = after / before - 1;
  if (!matmul.counts_known) return;
  verdict.padded_extra_flops = 2 * (after - before);
  verdict.padded_extra_bytes =
      size_of(dtype) * (total(matmul.elements, padded) - total(matmul.elements, matmul.alignable));
}

void name_vocabulary(Matmul& matmul, std::span<const std::int64_t> vocabularies) {
  if (matmul.kind != MatmulKind::Gemm) return;
  for (std::size_t i = 0; i < matmul.alignable.size(); ++i) {
    const std::int64_t size = matmul.alignable[i].second;
    if (std::ranges::find(vocabularies, size) == vocabularies.end()) continue;
    matmul.vocabulary = i;
    matmul.dims.emplace_back("vocabulary", size);
    return;
  }
}

void add_sentence(std::string& text, std::string_view sentence) {
  if (sentence.empty()) return;
  if (!text.empty()) text += ' ';
  text += sentence;
}

void add_reasons(std::string& text, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) add_sentence(text, finding.reason);
}

Rule2018 grade_of_2018(const std::vector<Finding>& findings) {
  switch (worst_of(findings)) {
    case Grade::Hint:
      return Rule2018::Aligned;
    case Grade::Inefficient:
      return Rule2018::NotAligned;
    case Grade::NotEligible:
      break;
  }
  return Rule2018::NotApplicable;
}

RuleToday grade_of_today(const std::vector<Finding>& findings) {
  switch (worst_of(findings)) {
    case Grade::Hint:
      return RuleToday::Efficient;
    case Grade::Inefficient:
      return RuleToday::Inefficient;
    case Grade::NotEligible:
      break;
  }
  return RuleToday::NotEligible;
}

bool has_finding_of_today(const TensorCoreVerdict& verdict, std::string_view rule) {
  return std::ranges::any_of(verdict.findings, [rule](const Finding& finding) {
    return finding.age == RuleAge::Today && finding.rule == rule;
  });
}

}  // namespace

bool is_refused_for_type(const TensorCoreVerdict& verdict) { return has_finding_of_today(verdict, "operand_type"); }
bool is_embedding(const TensorCoreVerdict& verdict) { return has_finding_of_today(verdict, "embedding_width"); }

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

std::optional<TensorCoreVerdict> tensor_core_verdict(std::string_view op, Phase phase, const Signature& signature,
                                                     DType compute_dtype, const gpu::DeviceCaps& device,
                                                     std::span<const std::int64_t> vocabularies) {
  auto matmul = matmul_of(op, signature);
  if (!matmul) return std::nullopt;
  name_vocabulary(*matmul, vocabularies);
  const RuleConditions today = rule_conditions_of(RuleAge::Today, compute_dtype, device);
  const auto now = findings_of(*matmul, today);
  const auto then = findings_of(*matmul, rule_conditions_of(RuleAge::Of2018, compute_dtype, device));

  TensorCoreVerdict verdict;
  verdict.dims = matmul->dims;
  verdict.dtype_ok = gpu::has_tensor_cores(device, compute_dtype);
  verdict.rule_2018 = grade_of_2018(then);
  verdict.rule_today = grade_of_today(now);
  verdict.target_gpu = device.name;
  verdict.tiling = tiling_of(*matmul, compute_dtype, device);
  // Today's rules depend on the GPU. The rules of 2018 are used only if today's find no fault in the sizes.
  const auto faults = faults_of(now);
  const auto older_faults = faults_of(then);
  add_reasons(verdict.reason, now);
  // The rule about the type comes first, but the op matters more: no type helps a depthwise convolution.
  if (verdict.rule_today == RuleToday::NotEligible) verdict.why = now.back().brief;
  if (verdict.rule_today == RuleToday::Efficient)
    add_sentence(verdict.reason, "Sizes are " + multiples_of(today) + ".");
  if (!faults.empty()) {
    blame(verdict, *matmul, faults, compute_dtype);
  } else if (!older_faults.empty()) {
    blame(verdict, *matmul, older_faults, compute_dtype);
    add_reasons(verdict.reason, then);
  }
  if (phase == Phase::Backward && !verdict.offending.empty()) {
    add_sentence(verdict.reason, "The size comes from the forward op: pad it there.");
  }
  verdict.findings = now;
  verdict.findings.insert(verdict.findings.end(), then.begin(), then.end());
  return verdict;
}

}  // namespace ampprof::rules
