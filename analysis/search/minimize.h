// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace ampprof::search {

/// Candidates of a search by their places in its order, ascending.
using Set = std::vector<std::size_t>;

/// Outcome for one set. Undecided: its runs differ too much to tell, or nobody ran it.
enum class Verdict { Pass, Fail, Undecided };

using Judge = std::function<Verdict(const Set&)>;

/// The part of a search that asks for a set first.
enum class Stage { Everything, Advised, Nothing, Halves, OneByOne };

struct Minimized {
  std::optional<Set> set = {};      ///< passed, and no member can go but for those in `open`; empty: not even all pass
  Set open = {};                    ///< members of `set` of which it was not decided whether it passes without them
  std::map<Set, Stage> asked = {};  ///< the sets that were judged
};

/// Finds a passing set out of the candidates 0 to `candidates` - 1 from which no single member can go (1-minimal). The
/// likeliest come first; the first `advised` of them are a set that somebody predicts to pass.
///
/// Judged are all candidates, then the advised set, then none. Then halves: between a number of first candidates that
/// fails and one that passes a binary search finds two neighbours; the candidate between them is needed, is kept from
/// there on, and the search goes on with those before it until what is kept passes by itself. Last, each member is left
/// out once, the least likely first. `judge` is asked once for each set, and whatever it says, the set that is returned
/// is one that it let pass. Undecided counts as no pass.
///
/// Where no candidate spoils what passes without it (monotone truth), k members of n candidates take at most
/// 2 + k (2 + ceil(log2 n)) questions.
Minimized minimize(std::size_t candidates, std::size_t advised, const Judge& judge);

}  // namespace ampprof::search
