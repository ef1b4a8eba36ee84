// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/data/work_names.h"

#include "precision/kernel_names/readable_name.h"

namespace ampprof::gui {
namespace {

bool is_matmul(kernel_names::KernelKind kind) {
  return kind == kernel_names::KernelKind::Gemm || kind == kernel_names::KernelKind::Convolution ||
         kind == kernel_names::KernelKind::Attention;
}

WorkClass classOf(const kernel_names::KernelFacts& facts) {
  if (facts.executed == kernel_names::Executed::Used) return WorkClass::TensorCores;
  return is_matmul(facts.kind) && facts.executed != kernel_names::Executed::Unknown ? WorkClass::Matmul
                                                                                    : WorkClass::Kernel;
}

WorkClass classOf(DeviceWorkKind kind) {
  switch (kind) {
    case DeviceWorkKind::Copy:
      return WorkClass::Copy;
    case DeviceWorkKind::Fill:
      return WorkClass::Fill;
    case DeviceWorkKind::Kernel:
      break;
  }
  return WorkClass::Kernel;
}

}  // namespace

WorkNames workNamesOf(const std::unordered_map<std::int64_t, std::string>& texts) {
  WorkNames names;
  for (const auto& [id, text] : texts)
    names.emplace(id, WorkName{kernel_names::short_name_of_kernel(text), kernel_names::classify_kernel(text)});
  return names;
}

WorkClass classOf(const DeviceWork& work, const WorkNames& names) {
  const auto known = names.find(work.name);
  const bool is_known_kernel = work.kind == DeviceWorkKind::Kernel && known != names.end();
  return is_known_kernel ? classOf(known->second.facts) : classOf(work.kind);
}

ClassTimes byWorkClass(const ClassTimes& by_kind) {
  ClassTimes times{};
  for (const auto kind : {DeviceWorkKind::Kernel, DeviceWorkKind::Copy, DeviceWorkKind::Fill}) {
    times[static_cast<std::size_t>(classOf(kind))] = by_kind[static_cast<std::size_t>(kind)];
  }
  return times;
}

}  // namespace ampprof::gui
