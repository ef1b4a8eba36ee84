// SPDX-License-Identifier: Apache-2.0
#include "profiler/scopes/gradient_leaves.h"

#include <algorithm>
#include <utility>

namespace ampprof::profiler {
namespace {

GradientLeaves::Identity gradient_of(const c10::intrusive_ptr<c10::TensorImpl>& leaf) {
  const at::Tensor& gradient = leaf->grad();
  return gradient.defined() ? GradientLeaves::identity_of(*gradient.unsafeGetTensorImpl()) : nullptr;
}

}  // namespace

GradientLeaves::Leaf& GradientLeaves::leaf_at(const c10::TensorImpl& tensor) {
  const auto found = leaves_.find(&tensor);
  if (found != leaves_.end() && !found->second.tensor.expired()) return found->second;
  if (found != leaves_.end()) {  // this address belonged to another tensor before
    set_gradient(found->first, found->second, nullptr);
    leaves_.erase(found);
  }
  const auto held = torch_hooks::another_owner_of(const_cast<c10::TensorImpl*>(&tensor));
  return leaves_.emplace(&tensor, Leaf{.id = ++ids_, .tensor = c10::weak_intrusive_ptr(held)}).first->second;
}

std::optional<LeafId> GradientLeaves::reached(const c10::TensorImpl& tensor, std::int64_t pass) {
  Leaf& leaf = leaf_at(tensor);
  if (std::exchange(leaf.pass, pass) == pass) return std::nullopt;
  if (const Identity memory = identity_of(tensor); leaf.memory != memory) {
    const auto old = by_memory_.find(leaf.memory);
    if (old != by_memory_.end() && old->second == &tensor) by_memory_.erase(old);
    leaf.memory = memory;
    by_memory_[memory] = &tensor;
    memories_.add(memory);
    without_pass_.erase(memory);
  }
  leaf.is_in_pass = true;
  of_pass_.push_back(&tensor);
  return leaf.id;
}

std::vector<LeafId> GradientLeaves::pass_ended(std::int64_t pass) {
  std::vector<LeafId> without;
  std::vector<Key> of_others;
  for (const Key key : std::exchange(of_pass_, {})) {
    const auto found = leaves_.find(key);
    if (found == leaves_.end()) continue;
    Leaf& leaf = found->second;
    if (leaf.pass != pass) {
      of_others.push_back(key);
      continue;
    }
    const auto tensor = leaf.tensor.lock();
    leaf.is_in_pass = false;
    set_gradient(key, leaf, tensor ? gradient_of(tensor) : nullptr);
    if (leaf.gradient == nullptr) without.push_back(leaf.id);
  }
  of_pass_ = std::move(of_others);
  may_have_changed_ = true;
  filter_again();
  return without;
}

void GradientLeaves::set_gradient(Key key, Leaf& leaf, Identity memory) {
  if (leaf.gradient == memory) return;
  const auto [first, last] = by_gradient_.equal_range(leaf.gradient);
  const auto old = std::find_if(first, last, [&](const auto& each) { return each.second == key; });
  if (old != last) by_gradient_.erase(old);
  leaf.gradient = memory;
  if (memory != nullptr) by_gradient_.emplace(memory, key);
}

/// Rebuilds `gradients_`, since single entries cannot be removed from a filter.
void GradientLeaves::filter_again() {
  gradients_ = {};
  for (const auto& [memory, leaf] : by_gradient_) gradients_.add(memory);
}

void GradientLeaves::forget_dead() {
  for (auto& [key, leaf] : leaves_) {
    if (!leaf.tensor.expired()) continue;
    set_gradient(key, leaf, nullptr);
    const auto of_memory = by_memory_.find(leaf.memory);
    if (of_memory != by_memory_.end() && of_memory->second == key) by_memory_.erase(of_memory);
  }
  std::erase_if(leaves_, [](const auto& each) { return each.second.tensor.expired(); });
  most_leaves_ = std::max<std::size_t>(64, 2 * leaves_.size());
  memories_ = {};
  for (const auto& [memory, leaf] : by_memory_) memories_.add(memory);
}

LeafId GradientLeaves::id_of(Identity memory) {
  const auto known = by_memory_.find(memory);
  const auto leaf = known == by_memory_.end() ? leaves_.end() : leaves_.find(known->second);
  if (leaf != leaves_.end() && !leaf->second.tensor.expired()) return leaf->second.id;
  const auto [place, is_new] = without_pass_.try_emplace(memory, ids_ + 1);
  if (is_new) ++ids_;
  return place->second;
}

GradientLeaves::Identity GradientLeaves::leaf_of(const c10::TensorImpl* tensor) const {
  if (tensor == nullptr || !memories_.may_have(identity_of(*tensor))) return nullptr;
  const auto known = by_memory_.find(identity_of(*tensor));
  if (known == by_memory_.end()) return nullptr;
  const auto leaf = leaves_.find(known->second);
  if (leaf == leaves_.end() || leaf->second.tensor.expired()) return nullptr;
  return leaf->second.gradient != nullptr || leaf->second.is_in_pass ? known->first : nullptr;
}

at::Tensor GradientLeaves::tensor_in(Identity memory) const {
  if (!memories_.may_have(memory)) return {};
  const auto known = by_memory_.find(memory);
  const auto leaf = known == by_memory_.end() ? leaves_.end() : leaves_.find(known->second);
  if (leaf == leaves_.end()) return {};
  auto alive = leaf->second.tensor.lock();
  return alive ? at::Tensor(std::move(alive)) : at::Tensor();
}

GradientLeaves::Identity GradientLeaves::owner_of(const c10::TensorImpl* gradient) const {
  for (const auto& [key, leaf] : leaves_) {
    const auto alive = leaf.tensor.lock();
    if (alive && alive->grad().unsafeGetTensorImpl() == gradient) return leaf.memory;
  }
  return nullptr;
}

std::vector<LeafId> GradientLeaves::owners_of_memory(const c10::TensorImpl& tensor) const {
  std::vector<LeafId> owners;
  const Identity memory = identity_of(tensor);
  const auto [first, last] = by_gradient_.equal_range(memory);
  for (auto each = first; each != last; ++each) {
    const Leaf& leaf = leaves_.at(each->second);
    const auto alive = leaf.tensor.lock();
    // If a leaf's gradient was replaced after the pass, the leaf does not own this memory.
    if (alive && gradient_of(alive) == memory) owners.push_back(leaf.id);
  }
  return owners;
}

GradientLeaves::Changes GradientLeaves::take_changes() {
  Changes changes;
  may_have_changed_ = false;
  for (auto& [key, leaf] : leaves_) {
    if (leaf.gradient == nullptr || leaf.is_in_pass) continue;
    const auto alive = leaf.tensor.lock();
    const Identity now = alive ? gradient_of(alive) : nullptr;
    if (now == leaf.gradient) continue;
    auto& changed = !alive ? changes.dead : now == nullptr ? changes.cleared : changes.replaced;
    changed.push_back(leaf.id);
    set_gradient(key, leaf, now);
  }
  if (leaves_.size() > most_leaves_) forget_dead();
  filter_again();
  return changes;
}

std::vector<GradientLeaves::Versioned> GradientLeaves::versions() const {
  std::vector<Versioned> all;
  for (const auto& [key, leaf] : leaves_) {
    if (const auto alive = leaf.tensor.lock()) all.push_back({leaf.memory, torch_hooks::version_of(*alive)});
  }
  return all;
}

std::vector<GradientLeaves::Identity> GradientLeaves::changed_since(const std::vector<Versioned>& before) const {
  std::vector<Identity> changed;
  for (const Versioned& leaf : before) {
    const auto known = by_memory_.find(leaf.leaf);
    const auto found = known == by_memory_.end() ? leaves_.end() : leaves_.find(known->second);
    if (found == leaves_.end()) continue;
    const auto alive = found->second.tensor.lock();
    if (alive && torch_hooks::version_of(*alive) != leaf.version) changed.push_back(leaf.leaf);
  }
  return changed;
}

}  // namespace ampprof::profiler
