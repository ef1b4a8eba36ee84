// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::analysis {
struct Finding;
}

namespace ampprof::queries {
struct RunRow;
}

/// Texts in Markdown. Escapes all text of a report, which is untrusted.
namespace ampprof::cli {

/// Returns a finding as text: kind, source line or call site, the fault, and each remedy with its code.
std::string finding_text(const analysis::Finding& finding);

/// Returns a list of a run's settings and machine.
std::string settings_text(const queries::RunRow& run);

}  // namespace ampprof::cli
