// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/compare/match.h"

namespace ampprof::compare {

/// Modules of side A that seem to be called otherwise on side B: what `from` and `to` differ in is the front of their
/// paths, "encoder.layers" and "net.blocks".
struct Rename {
  std::string from;  ///< "" for the outermost module
  std::string to;
  std::map<std::string, std::string> modules = {};  ///< whole paths, of A to those of B
  std::size_t call_sites = 0;
  bool same_shapes = true;  ///< what the ops receive has the same shapes, too
};

/// Modules that are on one side only and call the same ops in the same order there: first those whose ops receive the
/// same shapes, then the others. Where several modules are alike, those pair whose paths share most names, then by
/// order. A guess: nothing is to be matched by it that the user does not ask for.
std::vector<Rename> suggest_renames(const std::vector<Site>& a, const std::vector<Site>& b);

/// `module` with `from` at the front of its path, as a whole name, replaced by `to`; as it is where `from` is not
/// there. An empty `from` is in front of every path.
std::string with_front_replaced(const std::string& module, const std::string& from, const std::string& to);

}  // namespace ampprof::compare
