// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/compare/match.h"

namespace ampprof::compare {

/// A guess that modules of side A have another path on side B. `from` and `to` are the leading parts in which the
/// module paths differ, such as "encoder.layers" and "net.blocks".
struct Rename {
  std::string from;  ///< "" for the outermost module
  std::string to;
  std::map<std::string, std::string> modules = {};  ///< full module paths of A, mapped to those of B
  std::size_t call_sites = 0;
  bool same_shapes = true;  ///< the shapes of the ops' inputs agree too
};

/// Guesses renames: pairs modules that exist on one side only and call the same ops in the same order. First pairs
/// modules whose ops receive the same shapes. Among several candidates, pairs those whose paths share the most names,
/// then those nearest in order. Apply a guess only if the user asks for it.
std::vector<Rename> suggest_renames(const std::vector<Site>& a, const std::vector<Site>& b);

/// Replaces the leading names `from` of a module path by `to`, matching names as a whole. Returns other paths
/// unchanged. An empty `from` is the beginning of every path.
std::string with_front_replaced(const std::string& module, const std::string& from, const std::string& to);

}  // namespace ampprof::compare
