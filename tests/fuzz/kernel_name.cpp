// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are a kernel name. It has a verdict with a reason, and a readable form of bounded length.
#include <cstdint>
#include <cstdlib>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/readable_name.h"

namespace kernel_names = ampprof::kernel_names;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view name(reinterpret_cast<const char*>(data), size);
  const kernel_names::KernelFacts facts = kernel_names::classify_kernel(name);
  if (facts.evidence.empty() != (facts.executed == kernel_names::Executed::Unknown)) std::abort();
  if (kernel_names::readable_name(name).size() > kernel_names::kLongestReadableName) std::abort();
  if (kernel_names::short_name_of_kernel(name).size() > kernel_names::kLongestReadableName * 4) std::abort();
  return 0;
}
