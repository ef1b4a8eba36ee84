// SPDX-License-Identifier: Apache-2.0
#include "reports/records/collective.h"

#include <algorithm>

namespace ampprof {
namespace {

/// Returns the name without namespace, overload and underscores: "allreduce" for "c10d::allreduce_" and
/// "_c10d_functional::all_reduce".
std::string plain_name(std::string_view op) {
  if (const auto colons = op.rfind("::"); colons != std::string_view::npos) op.remove_prefix(colons + 2);
  std::string name(op.substr(0, op.find('.')));
  std::erase(name, '_');
  return name;
}

}  // namespace

bool is_collective(std::string_view op) {
  return std::ranges::any_of(kCollectiveNamespaces, [&](std::string_view prefix) { return op.starts_with(prefix); });
}

bool is_point_to_point(std::string_view op) {
  const std::string name = plain_name(op);
  return name.starts_with("send") || name.starts_with("recv");
}

std::optional<double> bus_factor(std::string_view op, std::int64_t ranks) {
  if (ranks < 1) return std::nullopt;
  const std::string name = plain_name(op);
  const double others = static_cast<double>(ranks - 1) / static_cast<double>(ranks);
  if (name.starts_with("allreduce")) return 2 * others;
  for (const std::string_view family : {"allgather", "reducescatter", "alltoall", "gather", "scatter"}) {
    if (name.starts_with(family)) return others;
  }
  for (const std::string_view family : {"broadcast", "reduce", "send", "recv"}) {
    if (name.starts_with(family)) return 1.0;
  }
  return std::nullopt;
}

}  // namespace ampprof
