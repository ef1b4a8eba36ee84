// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/launching_calls.h"

#include <algorithm>
#include <cstdint>

#include "profiler/gpu/cupti_api.h"

namespace ampprof::profiler {
namespace {

constexpr std::uint32_t kLaterOnes = 256;  // ids of functions that a later CUPTI may add

/// A domain of functions (runtime or driver), and how CUPTI records calls of its functions.
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

/// Calls `visit` with the id and name of each function that launches an activity. Calls it for none if this CUPTI
/// cannot select functions.
template <typename Visit>
void for_each_launching_call(const CuptiApi& api, const Domain& calls, CUpti_CallbackDomain domain, Visit visit) {
  if (calls.enable == nullptr || api.get_callback_name == nullptr) return;
  for (std::uint32_t id = 1; id < calls.size + kLaterOnes; ++id) {
    const char* name = nullptr;
    if (api.get_callback_name(domain, id, &name) != CUPTI_SUCCESS || name == nullptr || !launches(name)) continue;
    visit(id, name);
  }
}

/// Returns whether a function launches a kernel, as cudaLaunchKernel and cuLaunchKernelEx do. Such functions launch
/// nearly all activities.
bool launches_a_kernel(std::string_view function) { return function.find("LaunchKernel") != std::string_view::npos; }

}  // namespace

bool launches(std::string_view function) {
  const auto names = {"Launch", "emcpy", "emset"};
  return std::ranges::any_of(names, [&](const char* part) { return function.find(part) != std::string_view::npos; });
}

CUptiResult record_launching_calls(const CuptiApi& api, CUpti_CallbackDomain domain) {
  const Domain calls = domain_of(api, domain);
  bool is_any_accepted = false;
  bool is_launch_refused = false;
  for_each_launching_call(api, calls, domain, [&](CUpti_CallbackId id, std::string_view name) {
    const bool is_accepted = calls.enable(id, 1) == CUPTI_SUCCESS;
    is_any_accepted = is_any_accepted || is_accepted;
    is_launch_refused = is_launch_refused || (!is_accepted && launches_a_kernel(name));
  });
  return is_any_accepted && !is_launch_refused ? CUPTI_SUCCESS : api.enable(calls.kind);
}

void stop_recording_calls(const CuptiApi& api, CUpti_CallbackDomain domain) {
  const Domain calls = domain_of(api, domain);
  for_each_launching_call(api, calls, domain, [&](CUpti_CallbackId id, std::string_view) { calls.enable(id, 0); });
  (void)api.disable(calls.kind);
}

}  // namespace ampprof::profiler
