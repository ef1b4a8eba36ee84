// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace amp {

/// Returns "Generator" for "(anonymous namespace)::GeneratorImpl".
inline std::string short_class_name(std::string name) {
  if (const auto colons = name.rfind("::"); colons != std::string::npos) name.erase(0, colons + 2);
  if (name.size() > 4 && name.ends_with("Impl")) name.resize(name.size() - 4);
  return name;
}

/// Returns a parameter's name without the last component: "layer1.0.conv1" for "layer1.0.conv1.weight", "" for
/// "weight".
inline std::string module_of_parameter(const std::string& parameter) {
  const auto dot = parameter.rfind('.');
  return dot == std::string::npos ? "" : parameter.substr(0, dot);
}

/// Returns "decoder.head" for "decoder" and "head"; if one is "", returns the other.
inline std::string join_path(const std::string& prefix, const std::string& path) {
  return prefix.empty() || path.empty() ? prefix + path : prefix + '.' + path;
}

}  // namespace amp
