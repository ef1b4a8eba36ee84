// SPDX-License-Identifier: Apache-2.0
#include "profiler/torch_hooks/one_element_products.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "precision/torch_hooks/tensor_memory.h"

namespace ampprof::profiler {
namespace {

// Autograd holds nodes by std::shared_ptr up to LibTorch 2.11, by intrusive_ptr in later versions.
template <class Node>
std::function<bool()> expiry_of(const std::shared_ptr<Node>& node) {
  return [weak = std::weak_ptr(node)] { return weak.expired(); };
}
template <class Node>
std::function<bool()> expiry_of(const c10::intrusive_ptr<Node>& node) {
  return [weak = c10::weak_intrusive_ptr<Node>(node)] { return weak.expired(); };
}

}  // namespace

OneElementProducts::Memory::Memory(const at::Tensor& tensor)
    : storage(tensor.storage().getWeakStorageImpl()), offset(tensor.storage_offset()) {}

bool OneElementProducts::Memory::operator==(const Memory& other) const {
  return storage._unsafe_get_target() == other.storage._unsafe_get_target() && offset == other.offset;
}

OneElementProducts::Operand OneElementProducts::operand_of(const at::Tensor& operand,
                                                           std::vector<variant::Counterpart> in_replays,
                                                           bool is_overwritten) {
  const tensors::ObserverDisabledGuard guard;
  const auto kept = [&](const at::Tensor& tensor) {
    const bool is_part = tensor.storage().nbytes() > static_cast<std::size_t>(tensor.element_size());
    return is_overwritten || is_part ? tensor.clone() : tensor;
  };
  Operand taken{.value = {.run = kept(operand.tensor_data())}, .memory = Memory(operand)};
  for (variant::Counterpart& one : in_replays) {
    if (one.value.defined()) one.value = kept(one.value);
    taken.value.in_replays.push_back(std::move(one));
  }
  taken.version = torch_hooks::version_of(taken.value.run);
  if (const auto* meta = torch::autograd::impl::get_autograd_meta(operand)) {
    taken.node = meta->grad_fn_.get();
    taken.output = meta->output_nr_;
  }
  return taken;
}

void OneElementProducts::add(const at::Tensor& product, Operand operand, const LossFactor& factor, std::int32_t line) {
  const auto* meta = product.defined() ? torch::autograd::impl::get_autograd_meta(product) : nullptr;
  if (meta == nullptr || meta->grad_fn_ == nullptr || !tensors::has_plain_memory(product)) return;
  const std::lock_guard lock(mutex_);
  LossProduct how{.factor = factor, .site = {.line = line}};
  const Entry* before = find(operand.node, operand.output);
  if (before != nullptr && before->how.site.line == line) how.site.nth = before->how.site.nth + 1;
  if (std::ranges::find(read_, std::optional(operand.memory)) != read_.end()) read_values_.operand_read(how.site);
  newest_[next_++ % newest_.size()].emplace(Entry{.node = meta->grad_fn_.get(),
                                                  .node_is_gone = expiry_of(meta->grad_fn_),
                                                  .output = meta->output_nr_,
                                                  .memory = Memory(product),
                                                  .operand = std::move(operand),
                                                  .how = how});
}

void OneElementProducts::read(const at::Tensor& tensor) {
  if (!tensors::has_plain_memory(tensor)) return;
  const Memory memory(tensor);
  const std::lock_guard lock(mutex_);
  for (const auto& entry : newest_) {
    if (!entry) continue;
    if (entry->memory == memory) {
      read_values_.product_read(entry->how.site);
    } else if (entry->operand.memory == memory) {
      read_values_.operand_read(entry->how.site);
    }
  }
  read_[next_read_++ % read_.size()].emplace(memory);
}

std::optional<std::size_t> OneElementProducts::first_read_in(const LossChain& chain) const {
  const std::lock_guard lock(mutex_);
  return read_values_.first_in(chain);
}

const OneElementProducts::Entry* OneElementProducts::find(const void* node, std::uint32_t output) const {
  const auto found = std::ranges::find_if(newest_, [&](const std::optional<Entry>& entry) {
    return entry && entry->node == node && entry->output == output && !entry->node_is_gone();
  });
  return found == newest_.end() ? nullptr : &**found;
}

OneElementProducts::Chain OneElementProducts::at(const BackwardRoot& root) const {
  const std::lock_guard lock(mutex_);
  Chain chain;
  const Entry* entry = find(root.node, root.output);
  for (; entry != nullptr && chain.products.size() < newest_.size();
       entry = find(entry->operand.node, entry->operand.output)) {
    chain.products.push_back(entry->how);
    const LossTensor& value = entry->operand.value;
    const bool is_as_it_was = torch_hooks::version_of(value.run) == entry->operand.version;
    chain.operands.push_back(is_as_it_was ? value : LossTensor{});
  }
  return chain;
}

}  // namespace ampprof::profiler
