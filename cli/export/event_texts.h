// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::analysis {
struct Finding;
}

namespace ampprof::queries {
struct RunRow;
}

/// Texts in Markdown. No text of a report, which is untrusted, is markup in them.
namespace ampprof::cli {

/// Returns a finding: its kind and place, what is wrong, and each remedy with its code.
std::string finding_text(const analysis::Finding& finding);

/// Returns a list of what a run was started with, and on what.
std::string settings_text(const queries::RunRow& run);

}  // namespace ampprof::cli
