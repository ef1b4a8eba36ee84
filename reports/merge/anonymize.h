// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/merge/merge.h"

namespace ampprof::merge {

/// Returns a filter that removes traces of the author and the machine. It keeps the program's name without arguments,
/// and the last part of each path. It removes addresses (scheme://...). With `names`, each part of a module path or
/// parameter name becomes n1, n2, ...; equal parts get equal names. Numbers, `weight` and `bias` stay.
///
/// A list of tables and columns selects the texts to keep or convert. Texts of all other columns are removed.
TextFilter anonymous(bool names);

/// Returns whether a column is in the list of anonymous(). The texts of other columns are removed.
bool is_known_to_anonymous(const std::string& table, const std::string& column);

/// Returns the text with absolute paths, and paths that begin with a dot or ~, cut to their last part, and without
/// addresses (scheme://...).
std::string without_paths(const std::string& text);

/// Returns the program's name from a command line, followed by "..." if it had arguments.
std::string without_arguments(const std::string& command);

}  // namespace ampprof::merge
