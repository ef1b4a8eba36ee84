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

/// Returns "4" or "0 to 3 and 7"; shortens long lists to "0 to 3, 7, 9 and 12 more".
std::string listed_ranks(const std::vector<analysis::RankSpan>& spans);

/// Describes a rank's first divergence: "scale 4, others 8 in step 7".
std::string words_of(const analysis::Divergence& divergence);

/// Returns sentences on each launch: the rank that died first and how, missing ranks, the origin of the first overflow,
/// ranks that differ (also in parameters, if parameters were checked), and slower ranks.
std::vector<Sentence> said_of(const std::vector<analysis::RankedLaunch>& launches);

/// Returns how many ranks of a launch stand out, and which ranks are shown: "2 of 1,024 ranks at O1 stand out: 3 and
/// 700. Shown: rank 0 and those that stand out."
Sentence shown_of(const analysis::RepresentedLaunch& launch, const analysis::Representatives& representatives);

}  // namespace ampprof::views
