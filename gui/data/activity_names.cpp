// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/activity_names.h"

#include "precision/kernel_names/readable_name.h"

namespace ampprof::gui {
namespace {

bool is_matmul(kernel_names::KernelKind kind) {
  return kind == kernel_names::KernelKind::Gemm || kind == kernel_names::KernelKind::Convolution ||
         kind == kernel_names::KernelKind::Attention;
}

ActivityClass classOf(const kernel_names::KernelFacts& facts) {
  if (facts.executed == kernel_names::Executed::Used) return ActivityClass::TensorCores;
  return is_matmul(facts.kind) && facts.executed != kernel_names::Executed::Unknown ? ActivityClass::Matmul
                                                                                    : ActivityClass::Kernel;
}

ActivityClass classOf(GpuActivityKind kind) {
  switch (kind) {
    case GpuActivityKind::Memcpy:
      return ActivityClass::Memcpy;
    case GpuActivityKind::Memset:
      return ActivityClass::Memset;
    case GpuActivityKind::Kernel:
      break;
  }
  return ActivityClass::Kernel;
}

}  // namespace

ActivityNames activityNamesOf(const std::unordered_map<std::int64_t, std::string>& texts) {
  ActivityNames names;
  for (const auto& [id, text] : texts)
    names.emplace(id, ActivityName{kernel_names::short_name_of_kernel(text), kernel_names::classify_kernel(text)});
  return names;
}

ActivityClass classOf(const GpuActivity& activity, const ActivityNames& names) {
  const auto known = names.find(activity.name);
  const bool is_known_kernel = activity.kind == GpuActivityKind::Kernel && known != names.end();
  return is_known_kernel ? classOf(known->second.facts) : classOf(activity.kind);
}

ClassTimes byActivityClass(const ClassTimes& by_kind) {
  ClassTimes times{};
  for (const auto kind : {GpuActivityKind::Kernel, GpuActivityKind::Memcpy, GpuActivityKind::Memset}) {
    times[static_cast<std::size_t>(classOf(kind))] = by_kind[static_cast<std::size_t>(kind)];
  }
  return times;
}

}  // namespace ampprof::gui
