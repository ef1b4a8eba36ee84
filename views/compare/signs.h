// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ampprof::compare {
struct Compared;
}

/// Signs in the tables of a comparison, and their meanings.
namespace ampprof::views {

struct View;

/// Returns the sign that follows the values of a metric: " *" if the sides differ, " ?" if the repeats are too few to
/// tell, else "".
std::string sign_of(const compare::Compared& compared);

/// Returns a sentence that explains the signs of sign_of(), for descriptions of columns.
std::string signs_explained();

/// Explains the signs that occur in the tables; "" if there are none.
std::string legend(const View& runs, const View& sites);

}  // namespace ampprof::views
