// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_kernels.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "amp_core/casts/apex_list.h"
#include "amp_core/casts/cast_arguments.h"
#include "amp_core/casts/cast_list.h"
#include "amp_core/casts/thread_casts.h"
#include "amp_core/torch_hooks/boxed_arguments.h"
#include "amp_core/torch_hooks/replaced_kernel.h"

namespace amp {
namespace {

class CastKernel final : public c10::OperatorKernel {
 public:
  CastKernel(ReplacedKernel replaced, CastPolicy policy) : replaced_(std::move(replaced)), policy_(policy) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    switch (cast_mode()) {
      case CastMode::NotOurs:
        return replaced_.call(op, keys, stack);
      case CastMode::Pass:
        return replaced_.go_below(op, keys, stack);
      case CastMode::Cast:
        return cast(op, keys, stack);
    }
  }

 private:
  void cast(const c10::OperatorHandle& op, c10::DispatchKeySet keys, torch::jit::Stack* stack) {
    if (policy_ == CastPolicy::Pass) return replaced_.go_below(op, keys, stack);
    // The op runs as one: what it calls inside is not cast again.
    const c10::impl::ExcludeDispatchKeyGuard inside(c10::autocast_dispatch_keyset);
    cast_arguments(policy_, op, last_values(*stack, op.schema().arguments().size()));
    replaced_.go_below(op, keys - c10::autocast_dispatch_keyset, stack);
  }

  ReplacedKernel replaced_;
  CastPolicy policy_;
};

constexpr std::string_view kNamespace = "aten::";

bool starts_with_namespace(const c10::OperatorName& name) { return name.name.starts_with(kNamespace); }

void install_at(c10::DispatchKey key, const CastList& list) {
  auto& dispatcher = c10::Dispatcher::singleton();
  std::set<std::pair<std::string, std::string>> cast_by_torch;
  for (const auto& name : dispatcher.getRegistrationsForDispatchKey(key)) {
    cast_by_torch.emplace(name.name, name.overload_name);
  }
  for (const auto& name : dispatcher.getAllOpNames()) {
    if (!starts_with_namespace(name)) continue;
    const CastPolicy policy = list.policy_of({name.name.substr(kNamespace.size()), name.overload_name});
    if (policy == CastPolicy::Pass && !cast_by_torch.contains({name.name, name.overload_name})) continue;
    if (const auto op = dispatcher.findSchema(name)) override_kernel<CastKernel>(*op, key, policy);
  }
}

}  // namespace

void install_cast_kernels() {
  static std::once_flag once;
  std::call_once(once, [] {
    const CastList list(kApexList);
    install_at(c10::DispatchKey::AutocastCPU, list);
    install_at(c10::DispatchKey::AutocastCUDA, list);
  });
}

}  // namespace amp
