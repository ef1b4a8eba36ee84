// SPDX-License-Identifier: Apache-2.0
#include "views/column.h"

namespace ampprof::views {
namespace {

bool holds_nothing(const Json& json) {
  return json.is_object() && std::ranges::all_of(json, [](const Json& member) { return member.is_null(); });
}

}  // namespace

Json object_of(const std::vector<std::string>& keys, const std::vector<Value>& values) {
  Json object = Json::object();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto dot = keys[i].find('.');
    const std::string outer = keys[i].substr(0, dot);
    if (dot == std::string::npos) {
      object[outer] = to_json(values[i]);
    } else {
      object[outer][keys[i].substr(dot + 1)] = to_json(values[i]);
    }
  }
  for (auto& [key, member] : object.items()) {
    const auto is_nested = [&] { return std::ranges::find(keys, key) == keys.end(); };
    if (holds_nothing(member) && is_nested()) member = nullptr;
  }
  return object;
}

}  // namespace ampprof::views
