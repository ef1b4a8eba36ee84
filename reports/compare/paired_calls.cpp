// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/paired_calls.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace ampprof::compare {
namespace {

using Row = queries::SketchRow;
using Calls = std::vector<const Row*>;
using Place = std::tuple<std::int64_t, Phase, std::string, std::string, std::int32_t>;

/// Limit for alignment, as the product of the lengths of both lists, which time and memory are proportional to. Longer
/// lists are paired in order.
constexpr std::size_t kAlignable = 1'000'000;

std::map<Place, Calls> by_place(const Sketches& sketches) {
  std::map<Place, Calls> calls;
  for (const Row& row : sketches) calls[{row.step, row.phase, row.module, row.op, row.position}].push_back(&row);
  return calls;
}

/// Scores how likely two calls with equal Place are the same call. Returns 0 if they are certainly different calls.
int likeness(const Sketch& a, const Sketch& b) {
  if (a.elements != b.elements) return 0;
  return 1 + (a.inputs == b.inputs ? 2 : 0) + (same_bits(a, b) ? 4 : 0);
}

/// Alignment by Needleman and Wunsch, 1970: finds the order-preserving pairing with the largest sum of likenesses.
class Alignment {
 public:
  Alignment(const Calls& a, const Calls& b) : a_(a), b_(b), best_((a.size() + 1) * (b.size() + 1)) {
    for (std::size_t i = a.size(); i-- > 0;) {
      for (std::size_t j = b.size(); j-- > 0;) best(i, j) = std::max({paired(i, j), best(i + 1, j), best(i, j + 1)});
    }
  }

  /// Returns the partner in B of each call of A.
  Calls partners() {
    Calls partners(a_.size(), nullptr);
    for (std::size_t i = 0, j = 0; i < a_.size() && j < b_.size();) {
      const bool is_pair = likeness(a_[i]->sketch, b_[j]->sketch) > 0 && best(i, j) == paired(i, j);
      if (is_pair) partners[i] = b_[j];
      const bool skips_a = !is_pair && best(i, j) == best(i + 1, j);
      i += is_pair || skips_a ? 1 : 0;
      j += skips_a ? 0 : 1;
    }
    return partners;
  }

 private:
  /// Returns the largest sum for the calls of A from i on and of B from j on.
  int& best(std::size_t i, std::size_t j) { return best_[i * (b_.size() + 1) + j]; }
  int paired(std::size_t i, std::size_t j) { return likeness(a_[i]->sketch, b_[j]->sketch) + best(i + 1, j + 1); }

  const Calls& a_;
  const Calls& b_;
  std::vector<int> best_;
};

/// Returns the partner in `b` of each call of `a`. All calls have an equal Place.
Calls partners_of(const Calls& a, const Calls& b) {
  const auto same_ordinal = [](const Row* x, const Row* y) { return x->ordinal == y->ordinal; };
  if (!std::ranges::equal(a, b, same_ordinal) && a.size() * b.size() <= kAlignable) return Alignment(a, b).partners();
  Calls partners = b;
  partners.resize(a.size(), nullptr);
  return partners;
}

}  // namespace

bool same_bits(const Sketch& a, const Sketch& b) { return a.elements == b.elements && a.checksum == b.checksum; }

std::vector<const Row*> paired_calls(const Sketches& a, const Sketches& b) {
  std::vector<const Row*> partners(a.size(), nullptr);
  const std::map<Place, Calls> others = by_place(b);
  for (const auto& [place, calls] : by_place(a)) {
    const auto found = others.find(place);
    if (found == others.end()) continue;
    const Calls of_place = partners_of(calls, found->second);
    for (std::size_t i = 0; i < calls.size(); ++i)
      partners[static_cast<std::size_t>(calls[i] - a.data())] = of_place[i];
  }
  return partners;
}

}  // namespace ampprof::compare
