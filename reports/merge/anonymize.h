// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/merge/merge.h"

namespace ampprof::merge {

/// A filter that leaves out who made a report and where: of the command line the program's name stays, of paths the
/// file's, addresses go. With `names`, each part of a module path and of a parameter's name becomes n1, n2, ...: the
/// same part the same name, numbers stay, and so do `weight` and `bias`.
///
/// What is kept is listed by table and column; a text that is not in the list is left out.
TextFilter anonymous(bool names);

/// Whether anonymous() knows a column, so that what it holds is not lost.
bool is_known_to_anonymous(const std::string& table, const std::string& column);

/// The text with only the last part of absolute paths and of those that begin with a dot or ~, and without addresses
/// (scheme://...).
std::string without_paths(const std::string& text);

/// Returns the name of a command line's program, and "..." where arguments followed.
std::string without_arguments(const std::string& command);

}  // namespace ampprof::merge
