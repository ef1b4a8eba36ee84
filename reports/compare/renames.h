// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/compare/match.h"

namespace ampprof::compare {

/// A rename that seems to lead from side A to side B. `from` and `to` are the different fronts of the paths, such as
/// "encoder.layers" and "net.blocks".
struct Rename {
  std::string from;  ///< "" for the outermost module
  std::string to;
  std::map<std::string, std::string> modules = {};  ///< whole paths, from A to B
  std::size_t call_sites = 0;
  bool same_shapes = true;  ///< the ops receive the same shapes too
};

/// Guesses renames: modules of one side only that call the same ops in the same order. Modules whose ops receive the
/// same shapes come first. Similar modules pair by the number of shared names, then by order. Match by a guess only if
/// the user asks for it.
std::vector<Rename> suggest_renames(const std::vector<Site>& a, const std::vector<Site>& b);

/// Replaces the whole names `from` at the front of a module path by `to`. Returns other paths unchanged. An empty
/// `from` is in front of every path.
std::string with_front_replaced(const std::string& module, const std::string& from, const std::string& to);

}  // namespace ampprof::compare
