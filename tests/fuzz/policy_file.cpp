// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text is a policy that is unchanged when written and parsed again, or gives an error that names the
// line.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "amp_core/levels/properties.h"
#include "amp_core/policy/function_names.h"
#include "amp_core/policy/module_pattern.h"
#include "amp_core/policy/policy.h"

namespace {

const std::string kSource = "exact.amp";

// Looks up each rule as `ampprof run --policy` does.
void look_up(const amp::CastRule& rule) {
  if (amp::operators_of(rule.op).empty()) std::abort();
  (void)amp::did_you_mean(rule.op, amp::function_names());
  (void)amp::matches_module(rule.module, "decoder.head");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const amp::Policy policy = amp::parse_policy(text, kSource, look_up);
    if (amp::parse_policy(amp::to_text(policy), kSource) != policy) std::abort();
  } catch (const amp::Error& error) {
    if (!std::string_view(error.what()).starts_with(kSource + ':')) std::abort();
  }
  return 0;
}
