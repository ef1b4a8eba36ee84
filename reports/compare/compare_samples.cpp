// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/compare_samples.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reports/records/enum_names.h"

namespace ampprof::compare {
namespace {

using Sample = std::vector<double>;

std::optional<double> median(Sample sample) {
  if (sample.empty()) return std::nullopt;
  if (std::any_of(sample.begin(), sample.end(), [](double value) { return std::isnan(value); })) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  std::sort(sample.begin(), sample.end());
  const std::size_t middle = sample.size() / 2;
  return sample.size() % 2 == 1 ? sample[middle] : (sample[middle - 1] + sample[middle]) / 2;
}

void order_nan(Sample& sample) {
  for (double& value : sample) {
    if (std::isnan(value)) value = std::numeric_limits<double>::infinity();
  }
}

bool agrees(const Sample& sample) {
  return std::all_of(sample.begin(), sample.end(), [&](double value) { return value == sample.front(); });
}

void judge(Compared& compared, Verdict verdict, Basis basis) {
  compared.verdict = verdict;
  compared.basis = basis;
}

void judge_single_runs(Compared& compared, bool are_equal, Repeatability figures, const TestSettings& confidence) {
  if (figures == Repeatability::Noisy) return judge(compared, Verdict::CannotTell, Basis::NoRepeats);
  if (are_equal) return judge(compared, Verdict::Same, Basis::Equal);
  if (confidence.deterministic) return judge(compared, Verdict::Differs, Basis::Deterministic);
  judge(compared, Verdict::CannotTell, Basis::NoRepeats);
}

}  // namespace

Compared compare_samples(Sample a, Sample b, Repeatability figures, const TestSettings& confidence,
                         RankTest& rank_test) {
  Compared compared{.a = median(a), .b = median(b), .verdict = {}, .p = {}, .basis = {}};
  if (a.empty() || b.empty()) return compared;
  order_nan(a);
  order_nan(b);
  const bool all_agree = agrees(a) && agrees(b);
  const bool are_equal = all_agree && a.front() == b.front();
  if (a.size() == 1 || b.size() == 1) {
    judge_single_runs(compared, are_equal, figures, confidence);
  } else if (figures == Repeatability::Reproducible && all_agree) {
    judge(compared, are_equal ? Verdict::Same : Verdict::Differs, Basis::RepeatsAgree);
  } else {
    compared.p = rank_test.p(a, b);
    const bool can_tell = smallest_p(a.size(), b.size()) <= confidence.alpha;
    const Verdict told = *compared.p <= confidence.alpha ? Verdict::Differs : Verdict::Same;
    judge(compared, can_tell ? told : Verdict::CannotTell, can_tell ? Basis::RankTest : Basis::TooFewRepeats);
  }
  return compared;
}

double Compared::change() const {
  if (!a || !b || *a == *b || (std::isnan(*a) && std::isnan(*b))) return 0.0;
  const double change = std::abs(std::log2(std::abs(*b) / std::abs(*a)));
  const bool turns = std::signbit(*a) != std::signbit(*b);
  return std::isfinite(change) && !turns ? change : std::numeric_limits<double>::infinity();
}

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 3> kTexts{"no_difference", "differs", "cannot_tell"};
  return text_among(kTexts, verdict);
}

std::string_view name_of(Basis basis) {
  constexpr std::array<std::string_view, 6> kTexts{"rank_test",     "repeats_agree", "equal",
                                                   "deterministic", "no_repeats",    "too_few_repeats"};
  return text_among(kTexts, basis);
}

}  // namespace ampprof::compare
