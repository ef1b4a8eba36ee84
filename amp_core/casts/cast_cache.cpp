// SPDX-License-Identifier: Apache-2.0
#include "amp_core/casts/cast_cache.h"

#include <ATen/core/grad_mode.h>

namespace amp {

bool CastCache::can_hold(const at::Tensor& tensor, at::ScalarType type) {
  // Tensors of vmap, grad, functionalization and Python subclasses have no data whose version could be checked.
  constexpr c10::DispatchKeySet kWithoutData({c10::DispatchKey::Python, c10::DispatchKey::FuncTorchBatched,
                                              c10::DispatchKey::FuncTorchGradWrapper, c10::DispatchKey::Functionalize});
  if (!tensor.has_storage() || tensor.key_set().has_any(kWithoutData)) return false;
  return is_reduced(type) && tensor.scalar_type() == at::kFloat && tensor.is_leaf() && tensor.requires_grad() &&
         !tensor.is_view() && !tensor.is_inference() && at::GradMode::is_enabled();
}

at::Tensor CastCache::find(const at::Tensor& tensor, at::ScalarType type) const {
  const auto& entries = entries_of(type);
  const auto found = entries.find(tensor.unsafeGetTensorImpl());
  if (found == entries.end()) return {};
  const Entry& entry = found->second;
  const bool is_same = !*entry.had_gradient && !entry.tensor.expired() && entry.data == tensor.const_data_ptr() &&
                       entry.version == static_cast<std::int64_t>(tensor._version());
  return is_same ? entry.copy : at::Tensor();
}

void CastCache::insert(const at::Tensor& tensor, at::Tensor copy) {
  auto had_gradient = std::make_shared<std::atomic<bool>>(false);
  // Backward may run on other threads, so the hook gets a shared flag instead of the cache.
  if (copy.requires_grad()) copy.register_hook([had_gradient](const at::Tensor&) { *had_gradient = true; });
  Entry entry{c10::weak_intrusive_ptr<c10::TensorImpl>(tensor.getIntrusivePtr()), tensor.const_data_ptr(),
              static_cast<std::int64_t>(tensor._version()), std::move(had_gradient), std::move(copy)};
  auto& entries = entries_of(entry.copy.scalar_type());
  entries.insert_or_assign(tensor.unsafeGetTensorImpl(), std::move(entry));
}

std::size_t CastCache::size() const {
  std::size_t size = 0;
  for (const auto& entries : entries_) size += entries.size();
  return size;
}

void CastCache::clear() {
  if (size() == 0) return;  // fast path, since every op in backward calls this function
  for (auto& entries : entries_) entries.clear();
}

}  // namespace amp
