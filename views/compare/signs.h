// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::compare {
struct Compared;
}

/// Signs in the tables of a comparison, and what they mean.
namespace ampprof::views {

struct View;

/// Returns the sign after a figure of both sides: " *" if it differs, " ?" if that cannot be told, else "".
std::string sign_of(const compare::Compared& compared);

/// Returns a sentence on the signs after figures, for descriptions of columns.
std::string signs_explained();

/// Explains the signs that occur in the tables; "" if none does.
std::string legend(const View& runs, const View& sites);

}  // namespace ampprof::views
