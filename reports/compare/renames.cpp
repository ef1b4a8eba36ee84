// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/renames.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "reports/queries/ops.h"
#include "reports/records/signature.h"

namespace ampprof::compare {
namespace {

constexpr std::size_t kMostCompared = 1000000;  // largest number of module pairs whose names are compared

struct Module {
  std::string path;
  std::vector<const Site*> sites;
};

using Modules = std::vector<Module>;  // in the order of their first call

// Leaves out types, which differ between levels, and strides and alignments, which differ between runs.
std::string shapes_of(const queries::OpRow& op) {
  std::string text;
  for (const TensorInfo& tensor : signature_from(op.signature).tensors) {
    for (const std::int64_t size : tensor.shape) text += std::to_string(size) + ',';
    text += ';';
  }
  return text;
}

/// Returns a text that describes a module's calls. Modules with equal fingerprints are candidates for a rename.
std::string fingerprint(const Module& module, bool with_shapes) {
  std::vector<std::string> calls;
  std::map<std::tuple<Phase, std::string, std::int32_t>, int> order;
  for (const Site* site : module.sites) {
    const SiteKey& key = site->key;
    calls.push_back(std::string(name_of(key.phase)) + ' ' + key.op + ' ' + std::to_string(key.position) + ' ' +
                    std::to_string(order[{key.phase, key.op, key.position}]++) +
                    (with_shapes ? ' ' + shapes_of(site->first()) : ""));
  }
  std::sort(calls.begin(), calls.end());
  std::string text;
  for (const std::string& call : calls) text += call + '\n';
  return text;
}

std::set<std::string> paths_of(const std::vector<Site>& sites) {
  std::set<std::string> paths;
  for (const Site& site : sites) paths.insert(site.key.module);
  return paths;
}

// Returns the modules whose path the other side lacks.
Modules modules_only_in(const std::vector<Site>& sites, const std::set<std::string>& others) {
  Modules modules;
  std::map<std::string, std::size_t> places;
  for (const Site& site : sites) {
    if (others.contains(site.key.module)) continue;
    const auto [place, is_new] = places.emplace(site.key.module, modules.size());
    if (is_new) modules.push_back({site.key.module, {}});
    modules[place->second].sites.push_back(&site);
  }
  return modules;
}

std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    names.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

// Counts the names that both paths share at the front and at the end.
std::size_t names_shared(const std::string& a, const std::string& b) {
  const auto names_a = names_in(a);
  const auto names_b = names_in(b);
  const auto front = std::mismatch(names_a.begin(), names_a.end(), names_b.begin(), names_b.end());
  const auto back = std::mismatch(names_a.rbegin(), names_a.rend(), names_b.rbegin(), names_b.rend());
  return static_cast<std::size_t>(front.first - names_a.begin() + (back.first - names_a.rbegin()));
}

using Places = std::vector<std::size_t>;
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

// Pairs modules: first those that share the most names; on a tie, those nearest in order.
Pairs pair_up(const Modules& a, const Modules& b, const Places& of_a, const Places& of_b) {
  Pairs pairs;
  if (of_a.size() * of_b.size() > kMostCompared) {
    for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i) pairs.emplace_back(of_a[i], of_b[i]);
    return pairs;
  }
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> order;
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    for (std::size_t k = 0; k < of_b.size(); ++k) {
      const std::size_t shared = names_shared(a[of_a[i]].path, b[of_b[k]].path);
      order.emplace_back(~shared, std::max(i, k) - std::min(i, k), i, k);  // most shared names first
    }
  }
  std::sort(order.begin(), order.end());
  std::set<std::size_t> taken_a;
  std::set<std::size_t> taken_b;
  for (const auto& [shared, distance, i, k] : order) {
    if (taken_a.contains(i) || taken_b.contains(k)) continue;
    taken_a.insert(i);
    taken_b.insert(k);
    pairs.emplace_back(of_a[i], of_b[k]);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Pairs modules with equal fingerprints, and removes the paired ones from `left_a` and `left_b`.
Pairs pair_alike(const Modules& a, const Modules& b, std::set<std::size_t>& left_a, std::set<std::size_t>& left_b,
                 bool with_shapes) {
  std::map<std::string, std::pair<Places, Places>> alike;
  for (const std::size_t i : left_a) alike[fingerprint(a[i], with_shapes)].first.push_back(i);
  for (const std::size_t i : left_b) alike[fingerprint(b[i], with_shapes)].second.push_back(i);
  Pairs pairs;
  for (const auto& [text, places] : alike) {
    for (const auto& pair : pair_up(a, b, places.first, places.second)) pairs.push_back(pair);
  }
  for (const auto& [i, k] : pairs) {
    left_a.erase(i);
    left_b.erase(k);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Returns both paths without the names that they share at the end.
std::pair<std::string, std::string> fronts(const std::string& a, const std::string& b) {
  auto names_a = names_in(a);
  auto names_b = names_in(b);
  while (!names_a.empty() && !names_b.empty() && names_a.back() == names_b.back()) {
    names_a.pop_back();
    names_b.pop_back();
  }
  const auto joined = [](const std::vector<std::string>& names) {
    std::string path;
    for (const std::string& name : names) path += (path.empty() ? "" : ".") + name;
    return path;
  };
  return {joined(names_a), joined(names_b)};
}

void add(std::vector<Rename>& renames, const Module& a, const Module& b, bool same_shapes) {
  const auto [from, to] = fronts(a.path, b.path);
  auto found = std::find_if(renames.begin(), renames.end(), [&, &from = from, &to = to](const Rename& rename) {
    return rename.from == from && rename.to == to && rename.same_shapes == same_shapes;
  });
  if (found == renames.end()) {
    found = renames.insert(renames.end(), {.from = from, .to = to, .same_shapes = same_shapes});
  }
  found->modules.emplace(a.path, b.path);
  found->call_sites += a.sites.size();
}

std::set<std::size_t> all_places(const Modules& modules) {
  std::set<std::size_t> places;
  for (std::size_t i = 0; i < modules.size(); ++i) places.insert(i);
  return places;
}

}  // namespace

std::vector<Rename> suggest_renames(const std::vector<Site>& a, const std::vector<Site>& b) {
  const Modules modules_a = modules_only_in(a, paths_of(b));
  const Modules modules_b = modules_only_in(b, paths_of(a));
  std::set<std::size_t> left_a = all_places(modules_a);
  std::set<std::size_t> left_b = all_places(modules_b);
  std::vector<Rename> renames;
  for (const bool with_shapes : {true, false}) {
    for (const auto& [i, k] : pair_alike(modules_a, modules_b, left_a, left_b, with_shapes)) {
      add(renames, modules_a[i], modules_b[k], with_shapes);
    }
  }
  return renames;
}

std::string with_front_replaced(const std::string& module, const std::string& from, const std::string& to) {
  const auto joined = [](const std::string& front, const std::string& back) {
    return front.empty() || back.empty() ? front + back : front + '.' + back;
  };
  if (from.empty()) return joined(to, module);
  if (module == from) return to;
  if (!module.starts_with(from + '.')) return module;
  return joined(to, module.substr(from.size() + 1));
}

}  // namespace ampprof::compare
