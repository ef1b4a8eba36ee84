// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes are the name of a kernel, with a verdict that has a reason and a readable form of bounded
// length.
#include <cstdint>
#include <cstdlib>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/readable_name.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view name(reinterpret_cast<const char*>(data), size);
  const ampprof::KernelFacts facts = ampprof::classify_kernel(name);
  if (facts.evidence.empty() != (facts.executed == ampprof::Executed::Unknown)) std::abort();
  if (ampprof::readable_name(name).size() > ampprof::kLongestReadableName) std::abort();
  if (ampprof::short_name_of_kernel(name).size() > ampprof::kLongestReadableName * 4) std::abort();
  return 0;
}
