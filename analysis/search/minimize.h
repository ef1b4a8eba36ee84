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

/// Outcome of a set. Undecided: the runs of the set differ too much, or it has none.
enum class Verdict { Pass, Fail, Undecided };

using Judge = std::function<Verdict(const Set&)>;

/// The first phase of the search that asked for a set.
enum class Stage { Everything, Advised, Nothing, Halves, OneByOne };

struct Minimized {
  std::optional<Set> set = {};      ///< passes; only members in `open` may still be left out; empty if no set passes
  Set open = {};                    ///< members of `set` for which a pass without them is undecided
  std::map<Set, Stage> asked = {};  ///< the judged sets, with the phase that asked first
};

/// Finds a 1-minimal passing set of the candidates 0 to `candidates` - 1: no single member can be left out. The
/// likeliest candidates come first; the first `advised` ones are predicted to pass.
///
/// Judges all candidates, then the advised set, then the empty set. Then bisects between a number of first candidates
/// that fails and one that passes, until these are neighbours. The candidate between them is needed and kept. The
/// search goes on with the candidates before it until the kept ones pass. Last, leaves out each member once, the least
/// likely first. Asks `judge` once for each set. The returned set always passed. Undecided does not count as a pass.
///
/// Adding candidates may never turn a pass into a failure (monotone truth). Then k members out of n candidates take at
/// most 2 + k (2 + ceil(log2 n)) questions.
Minimized minimize(std::size_t candidates, std::size_t advised, const Judge& judge);

}  // namespace ampprof::search
