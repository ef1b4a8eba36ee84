// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ampprof::search {

/// Candidates as ascending indices in search order.
using Set = std::vector<std::size_t>;

/// Outcome of a set. Undecided: the runs of the set differ too much, or the set has no runs.
enum class Verdict { Pass, Fail, Undecided };

using Judge = std::function<Verdict(const Set&)>;

/// A phase of minimize().
enum class Stage { Everything, Advised, Nothing, Halves, OneByOne };

struct Minimized {
  std::optional<Set> set = {};      ///< passes; only members in `open` may be superfluous; empty if no set passes
  Set open = {};                    ///< members of `set` whose removal is undecided
  std::map<Set, Stage> asked = {};  ///< the judged sets, with the phase that asked first
};

/// Finds a passing set of the candidates 0 to `candidates` - 1 that is 1-minimal: no single member can be left out. The
/// likeliest candidates come first; the first `advised` ones are predicted to pass.
///
/// Judges all candidates, then the advised set, then the empty set. Then bisects the number of leading candidates
/// between a number that fails and a number that passes, until the two differ by one. The last candidate of the passing
/// number is needed and kept. The search continues with the candidates before it until the kept candidates alone pass.
/// At the end, tests each member for removal, the least likely first. Calls `judge` once for each set. The returned set
/// always passed. Undecided does not count as a pass.
///
/// Requires that adding candidates never turns a pass into a failure (monotonicity). Then k members out of n candidates
/// take at most 2 + k (2 + ceil(log2 n)) calls of `judge`.
Minimized minimize(std::size_t candidates, std::size_t advised, const Judge& judge);

}  // namespace ampprof::search
