// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/launching_calls.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "profiler/gpu/cupti_api.h"

namespace ampprof::profiler {
namespace {

constexpr std::uint32_t kLaterOnes = 256;  // functions that a later CUPTI may know

/// The functions of one domain.
struct Domain {
  CUpti_ActivityKind kind;
  CUptiResult (*enable)(CUpti_CallbackId, std::uint8_t);
  std::uint32_t size;
};

Domain domain_of(const CuptiApi& api, CUpti_CallbackDomain domain) {
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    return {CUPTI_ACTIVITY_KIND_RUNTIME, api.enable_runtime_call, CUPTI_RUNTIME_TRACE_CBID_SIZE};
  }
  return {CUPTI_ACTIVITY_KIND_DRIVER, api.enable_driver_call, CUPTI_DRIVER_TRACE_CBID_SIZE};
}

}  // namespace

bool launches(std::string_view function) {
  const auto names = {"Launch", "emcpy", "emset"};
  return std::ranges::any_of(names, [&](const char* part) { return function.find(part) != std::string_view::npos; });
}

CUptiResult switch_launching_calls(const CuptiApi& api, CUpti_CallbackDomain domain, bool on) {
  const Domain calls = domain_of(api, domain);
  if (calls.enable == nullptr || api.get_callback_name == nullptr) {
    return on ? api.enable(calls.kind) : api.disable(calls.kind);
  }
  for (std::uint32_t id = 1; id < calls.size + kLaterOnes; ++id) {
    const char* name = nullptr;
    if (api.get_callback_name(domain, id, &name) != CUPTI_SUCCESS || name == nullptr || !launches(name)) continue;
    const CUptiResult result = calls.enable(id, on ? 1 : 0);
    if (result != CUPTI_SUCCESS) return result;
  }
  return CUPTI_SUCCESS;
}

}  // namespace ampprof::profiler
