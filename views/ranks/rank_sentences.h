// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "views/table/sentence.h"

namespace ampprof::analysis {
struct Divergence;
struct RankSpan;
struct RankedLaunch;
struct Representatives;
struct RepresentedLaunch;
}  // namespace ampprof::analysis

namespace ampprof::views {

/// Returns "4", "0 to 3 and 7"; "0 to 3, 7, 9 and 12 more" where that would be long.
std::string listed_ranks(const std::vector<analysis::RankSpan>& spans);

/// Returns what a rank's first divergence is, as in "scale 4, others 8 in step 7".
std::string words_of(const analysis::Divergence& divergence);

/// Says of each launch which rank died first and how, which ranks are missing, where its first overflow began, which
/// ranks differ, in parameters too where these were checked, which are slower.
std::vector<Sentence> said_of(const std::vector<analysis::RankedLaunch>& launches);

/// Says how many ranks of a launch stand out and which are shown: "Of 1,024 ranks at O1, 2 stand out: 3 and 700. Shown:
/// rank 0 and those that stand out."
Sentence shown_of(const analysis::RepresentedLaunch& launch, const analysis::Representatives& representatives);

}  // namespace ampprof::views
