// SPDX-License-Identifier: Apache-2.0
#include "amp_core/policy/module_pattern.h"

#include <string>

#include "amp_core/levels/properties.h"

namespace amp {
namespace {

/// Removes and returns the first component of a path.
std::string_view next_component(std::string_view& path) {
  const auto dot = path.find('.');
  const auto component = path.substr(0, dot);
  path.remove_prefix(dot == path.npos ? path.size() : dot + 1);
  return component;
}

bool is_component(std::string_view text) {
  if (text.empty()) return false;
  if (text.find('*') != text.npos) return text == "*";
  return text.find_first_of("# \t\r\n\v\f") == text.npos && text.find('\0') == text.npos;
}

}  // namespace

bool matches_module(std::string_view pattern, std::string_view path) {
  while (!pattern.empty()) {
    if (path.empty()) return false;
    const auto wanted = next_component(pattern);
    const auto found = next_component(path);
    if (wanted != "*" && wanted != found) return false;
  }
  return true;
}

void check_module_pattern(std::string_view pattern) {
  std::string_view rest = pattern;
  bool is_right = !pattern.empty() && pattern.back() != '.';
  while (is_right && !rest.empty()) is_right = is_component(next_component(rest));
  if (is_right) return;
  throw Error("\"" + std::string(pattern) +
              "\" is not a module path. Paths look like decoder.head, or encoder.layers.*.attention, where * matches "
              "one component.");
}

}  // namespace amp
