// SPDX-License-Identifier: Apache-2.0
#include "analysis/search/minimize.h"

#include <algorithm>
#include <utility>

namespace ampprof::search {
namespace {

/// Asks the judge once for each set, and remembers the verdict.
class Verdicts {
 public:
  explicit Verdicts(const Judge& judge) : judge_(judge) {}

  void begin(Stage stage) { stage_ = stage; }
  Verdict of(const Set& set) {
    const auto known = known_.find(set);
    if (known != known_.end()) return known->second;
    asked_.emplace(set, stage_);
    return known_.emplace(set, judge_(set)).first->second;
  }
  bool passes(const Set& set) { return of(set) == Verdict::Pass; }

  std::map<Set, Stage> asked() && { return std::move(asked_); }

 private:
  const Judge& judge_;
  Stage stage_ = Stage::Everything;
  std::map<Set, Verdict> known_;
  std::map<Set, Stage> asked_;
};

/// Returns the first `first` candidates, then `needed`. All of `needed` have a higher index than the first candidates.
Set with_first(std::size_t first, const Set& needed) {
  Set set;
  for (std::size_t i = 0; i < first; ++i) set.push_back(i);
  set.insert(set.end(), needed.begin(), needed.end());
  return set;
}

Set without(const Set& set, std::size_t place) {
  Set rest = set;
  rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(place));
  return rest;
}

/// Returns a passing set, given that the first `passing` candidates pass and the first `failing` fail.
Set bisected(std::size_t failing, std::size_t passing, Verdicts& verdicts) {
  verdicts.begin(Stage::Halves);
  Set needed;
  while (passing > 0) {
    while (passing - failing > 1) {
      const std::size_t middle = failing + (passing - failing) / 2;
      (verdicts.passes(with_first(middle, needed)) ? passing : failing) = middle;
    }
    --passing;
    needed.insert(needed.begin(), passing);
    if (passing == 0 || verdicts.passes(needed)) break;
    failing = 0;
  }
  return needed;
}

Set one_by_one(Set set, Verdicts& verdicts) {
  verdicts.begin(Stage::OneByOne);
  for (std::size_t place = set.size(); place > 0;) {
    --place;
    Set rest = without(set, place);
    if (!verdicts.passes(rest)) continue;
    set = std::move(rest);
    place = set.size();  // starts again, since other candidates may now be superfluous
  }
  return set;
}

Set shrunk(std::size_t candidates, std::size_t advised, Verdicts& verdicts) {
  verdicts.begin(advised > 0 ? Stage::Advised : Stage::Nothing);
  if (!verdicts.passes(with_first(advised, {}))) return bisected(advised, candidates, verdicts);
  verdicts.begin(Stage::Nothing);
  if (verdicts.passes({})) return {};
  return bisected(0, advised, verdicts);
}

}  // namespace

Minimized minimize(std::size_t candidates, std::size_t advised, const Judge& judge) {
  Verdicts verdicts(judge);
  if (!verdicts.passes(with_first(candidates, {}))) return {.asked = std::move(verdicts).asked()};
  const Set set = one_by_one(shrunk(candidates, std::min(advised, candidates), verdicts), verdicts);
  Minimized result{.set = set};
  for (std::size_t place = 0; place < set.size(); ++place) {
    if (verdicts.of(without(set, place)) == Verdict::Undecided) result.open.push_back(set[place]);
  }
  result.asked = std::move(verdicts).asked();
  return result;
}

}  // namespace ampprof::search
