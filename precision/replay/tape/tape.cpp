// SPDX-License-Identifier: Apache-2.0
#include "precision/replay/tape/tape.h"

#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>
#include <c10/core/CPUAllocator.h>
#include <torch/csrc/autograd/function.h>

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "precision/replay/reference/arguments.h"
#include "precision/replay/reference/reference.h"
#include "precision/replay/reference/skipped.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/tensor_type.h"
#include "precision/torch_hooks/tensor_memory.h"

namespace ampprof::tape {
namespace {

constexpr std::size_t kSmallBytes = std::size_t{1} << 20;

std::string_view name_of(const c10::OperatorHandle& op) { return op.operator_name().name; }

const c10::StorageImpl* storage_of(const at::Tensor& tensor) { return tensor.storage().unsafeGetStorageImpl(); }

std::int64_t elements_in_memory(const at::Tensor& tensor) {
  return static_cast<std::int64_t>(tensor.storage().nbytes() / tensor.itemsize());
}

Source place_of(const at::Tensor& tensor, int slot) {
  return {.slot = slot,
          .sizes = tensor.sizes().vec(),
          .strides = tensor.strides().vec(),
          .offset = tensor.storage_offset()};
}

/// Tells whether the tensor has no graph although gradients are enabled: a call without gradients made it, and no
/// custom autograd function has attached a graph since.
bool is_detached(const at::Tensor& tensor) { return c10::GradMode::is_enabled() && !tensor.requires_grad(); }

bool has_same_layout(const at::Tensor& a, const at::Tensor& b) {
  return a.storage_offset() == b.storage_offset() && a.sizes() == b.sizes() && a.strides() == b.strides();
}

/// Tells whether the program allocated the memory itself, so that it may write to it without an op.
bool is_memory_of_program(const at::Tensor& tensor) {
  return tensor.is_cpu() && tensor.storage().data_ptr().get_deleter() != c10::GetCPUAllocator()->raw_deleter();
}

bool is_random(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  if (op.hasTag(at::Tag::nondeterministic_seeded)) return true;
  return std::ranges::any_of(arguments, [](const c10::IValue& value) { return value.isGenerator(); });
}

/// Tells whether an op returns or writes tensors. Other ops only return a number to the program and would wait for the
/// device.
bool makes_tensors(const c10::FunctionSchema& schema) {
  const auto is_tensor = [](const c10::Argument& result) { return tensors::is_tensor(result.type()); };
  return std::ranges::any_of(schema.returns(), is_tensor) ||
         std::ranges::any_of(schema.arguments(), reference::is_written);
}

}  // namespace

Tape::Tape(at::ScalarType precision, Identity identity, MasterOf master_of)
    : precision_(precision),
      identity_(identity),
      master_of_(std::move(master_of)),
      first_node_(at::sequence_number::peek()) {}

int Tape::new_slot(at::Tensor initial) {
  initial_.push_back(std::move(initial));
  return slots() - 1;
}

at::Tensor Tape::in_precision(const at::Tensor& tensor) const {
  return reference::is_below(tensor.scalar_type(), precision_) ? tensor.to(precision_) : tensor;
}

// ---- which tensors are known

const Tape::Memory* Tape::memory_of(const at::Tensor& tensor) const {
  if (!tensor.has_storage()) return nullptr;
  const auto found = memory_.find(storage_of(tensor));
  return found == memory_.end() || found->second.memory.expired() ? nullptr : &found->second;
}

Tape::Memory& Tape::remember_memory(const at::Tensor& tensor) {
  const auto [place, is_new] =
      memory_.try_emplace(storage_of(tensor), Memory{WeakMemory(tensor.storage().getWeakStorageImpl())});
  if (!is_new && place->second.memory.expired()) {
    place->second = Memory{WeakMemory(tensor.storage().getWeakStorageImpl())};
  }
  return place->second;
}

void Tape::remember(const at::Tensor& tensor, int slot) {
  const c10::TensorImpl* impl = tensor.unsafeGetTensorImpl();
  const std::uint32_t version = tensor.is_inference() ? 0 : torch_hooks::version_of(tensor);
  known_.insert_or_assign(impl, Known{WeakTensor(tensor.getIntrusivePtr()), slot, version});
  if (tensor.has_storage()) remember_memory(tensor).tensors.push_back(impl);
}

/// Updates the versions of all tensors in this memory, after a taped call wrote the memory.
void Tape::note_written(const at::Tensor& tensor) {
  const Memory* memory = memory_of(tensor);
  if (identity_ == Identity::Memory || memory == nullptr) return;
  for (const c10::TensorImpl* impl : memory->tensors) {
    Known& known = known_.at(impl);
    const at::Tensor one(known.tensor.lock());
    if (one.defined() && !one.is_inference()) known.version = torch_hooks::version_of(one);
  }
}

/// Returns the source of a tensor that shares memory with a recorded tensor, like its .data.
std::optional<Source> Tape::alias_of(const at::Tensor& tensor, const Memory& memory) const {
  for (const c10::TensorImpl* impl : std::views::reverse(memory.tensors)) {
    const auto found = known_.find(impl);
    if (found == known_.end()) continue;
    const at::Tensor known(found->second.tensor.lock());
    if (known.defined() && has_same_layout(known, tensor))
      return Source{.slot = found->second.slot, .is_detached = true};
  }
  return std::nullopt;
}

std::optional<Source> Tape::source_of(const at::Tensor& tensor) const {
  const Memory* memory = tensor.defined() ? memory_of(tensor) : nullptr;
  if (identity_ == Identity::Memory) {
    if (memory == nullptr || memory->slot < 0) return std::nullopt;
    return place_of(tensor, memory->slot);
  }
  if (const auto found = known_.find(tensor.unsafeGetTensorImpl());
      found != known_.end() && !found->second.tensor.expired()) {
    return Source{.slot = found->second.slot};
  }
  return memory == nullptr ? std::nullopt : alias_of(tensor, *memory);
}

std::size_t Tape::add_input(const at::Tensor& tensor) {
  const tensors::ObserverDisabledGuard guard;
  const at::Tensor master = master_of_ ? master_of_(tensor) : at::Tensor();
  const at::Tensor& original = master.defined() ? master : tensor;
  if (identity_ == Identity::Memory) {
    int& slot = remember_memory(tensor).slot;
    if (slot < 0) slot = new_slot();
    const at::Tensor whole = tensor.as_strided({elements_in_memory(tensor)}, {1}, 0);
    inputs_.push_back({tensor, in_precision(whole.clone()), slot});
  } else {
    remember(tensor, new_slot());
    inputs_.push_back({tensor, in_precision(original.clone()), slots() - 1});
  }
  return inputs_.size() - 1;
}

bool Tape::was_written_elsewhere(const at::Tensor& tensor) const {
  if (identity_ == Identity::Memory || tensor.is_inference()) return false;
  const auto found = known_.find(tensor.unsafeGetTensorImpl());
  return found != known_.end() && found->second.version != torch_hooks::version_of(tensor);
}

std::optional<Source> Tape::known_or_input(const at::Tensor& tensor) {
  if (auto known = source_of(tensor)) return known;
  if (identity_ == Identity::Memory) return std::nullopt;
  if (tensor.requires_grad() && tensor.is_leaf() && tensors::has_plain_memory(tensor)) {
    return Source{.slot = inputs_[add_input(tensor)].slot};
  }
  if (tensor.requires_grad() && why_not_.empty()) {
    lost_a_graph_ = !tensor.is_leaf() && tensor.grad_fn()->sequence_nr() >= first_node_;
    give_up("a tensor that requires a gradient was not computed in this step");
  }
  return std::nullopt;
}

// ---- one call

/// Makes a slot for memory that depends on an input from this call on, but not before.
Source Tape::slot_for_written(const at::Tensor& tensor) {
  if (identity_ == Identity::Memory) {
    const at::Tensor whole = tensor.as_strided({elements_in_memory(tensor)}, {1}, 0);
    remember_memory(tensor).slot = new_slot(in_precision(whole).clone());
    return place_of(tensor, slots() - 1);
  }
  remember(tensor, new_slot(in_precision(tensor).clone()));
  return {.slot = slots() - 1};
}

Source Tape::constant_of(const c10::Argument& argument, const at::Tensor& tensor) {
  const bool is_statistic = reference::is_running_statistic(argument);
  const bool is_number = tensor.unsafeGetTensorImpl()->is_wrapped_number();
  const bool is_copied = identity_ == Identity::Memory || tensor.is_inference() || tensor.nbytes() <= kSmallBytes ||
                         is_memory_of_program(tensor);
  Constant constant{tensor};
  if (is_copied && !is_number) constant.tensor = in_precision(tensor.clone());
  if (!is_copied && !is_statistic) constant.version = torch_hooks::version_of(tensor);
  constants_.push_back(std::move(constant));
  return {.constant = static_cast<int>(constants_.size()) - 1, .is_copied = is_statistic};
}

bool Tape::depends_on_input(c10::ArrayRef<c10::IValue> arguments) {
  bool found = false;
  for (const c10::IValue& value : arguments) {
    reference::visit_tensors(value, [&](const at::Tensor& tensor) {
      if (tensor.defined() && known_or_input(tensor)) found = true;
    });
  }
  return found;
}

/// Tells whether the results are constants, as random draws are. An op that draws from computed values makes the tape
/// unusable.
bool Tape::gives_constants(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const std::string_view name = name_of(op);
  if (!is_random(op, arguments) || name == "aten::native_dropout" ||
      reference::dropout_share(op.schema(), arguments) == 0.0)
    return false;
  const bool stays_as_it_was_drawn = reference::only_draws(name) && !name.ends_with('_');  // a draw has no gradient
  if (!stays_as_it_was_drawn) give_up(std::string(name) + " draws random numbers");
  return true;
}

bool Tape::may_be_taped(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments) {
  const reference::Skip skip = reference::skip_of(name_of(op));
  if (skip == reference::Skip::NoValues || !makes_tensors(op.schema())) return false;
  if (!depends_on_input(arguments) || !why_not_.empty()) return false;
  if (skip != reference::Skip::No) {
    give_up(std::string(name_of(op)) + ": " + std::string(reference::reason_of(skip)));
  } else if (!reference::all_plain(arguments)) {
    give_up("a tensor has no memory of its own");
  } else {
    return !gives_constants(op, arguments);
  }
  return false;
}

std::optional<TapedCall> Tape::prepare(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const auto& schema = op.schema().arguments();
  const auto arguments = torch::jit::last(stack, schema.size());
  if (!why_not_.empty() || !may_be_taped(op, arguments)) return std::nullopt;
  const tensors::ObserverDisabledGuard guard;
  TapedCall call{.op = op, .tape = this};
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const auto without = reference::change_tensors(arguments[i], [](const at::Tensor&) { return at::Tensor(); });
    call.arguments.push_back(reference::in_precision(schema[i], without, precision_));
    reference::visit_tensors(arguments[i], [&](const at::Tensor& tensor) {
      if (!tensor.defined()) return call.sources.push_back({});
      if (was_written_elsewhere(tensor)) give_up("an op without gradients wrote into a tensor that has a gradient");
      const bool is_written = reference::is_written(schema[i]);
      std::optional<Source> known = source_of(tensor);
      if (known && is_detached(tensor)) known->is_detached = true;
      call.sources.push_back(known ? *known : is_written ? slot_for_written(tensor) : constant_of(schema[i], tensor));
    });
  }
  return call;
}

Result Tape::result_for(const at::Tensor& tensor) {
  if (!tensor.defined() || !tensors::has_plain_memory(tensor)) return {};
  if (identity_ == Identity::Tensor) {
    const auto found = known_.find(tensor.unsafeGetTensorImpl());
    const bool is_known = found != known_.end() && !found->second.tensor.expired();
    if (!is_known) remember(tensor, new_slot());
    return {.slot = known_.at(tensor.unsafeGetTensorImpl()).slot};
  }
  Memory& memory = remember_memory(tensor);
  if (memory.slot >= 0) return {};  // written in place, or a view: the memory has a slot already
  memory.slot = new_slot();
  return {.slot = memory.slot, .place = place_of(tensor, memory.slot), .elements = elements_in_memory(tensor)};
}

std::size_t Tape::add(TapedCall call, c10::ArrayRef<c10::IValue> returned) {
  const tensors::ObserverDisabledGuard guard;
  const std::vector<at::Tensor> results = reference::tensors_in(returned);
  const bool writes = std::ranges::any_of(call.op.schema().arguments(), reference::is_written);
  for (const at::Tensor& tensor : results) call.results.push_back(result_for(tensor));
  for (const at::Tensor& tensor : results) {
    if (tensor.defined() && writes) note_written(tensor);
  }
  if (name_of(call.op) == "aten::native_dropout") call.mask = results.back();
  calls_.push_back(std::move(call));
  return calls_.size() - 1;
}

std::string Tape::why_not_now() const {
  if (!why_not_.empty()) return why_not_;
  const auto was_written = [](const Constant& constant) {
    return constant.version && *constant.version != torch_hooks::version_of(constant.tensor);
  };
  return std::ranges::any_of(constants_, was_written) ? "an input of a forward op was overwritten before the step ended"
                                                      : "";
}

namespace {

/// Returns the output that last set a slot before this call.
std::optional<OutputIndex> maker_before(const Tape& tape, std::size_t call, int slot) {
  while (call-- > 0) {
    const auto& results = tape.calls()[call].results;
    const auto found = std::ranges::find(results, slot, &Result::slot);
    if (found != results.end()) return OutputIndex{call, static_cast<std::size_t>(found - results.begin())};
  }
  return std::nullopt;
}

}  // namespace

std::optional<OutputIndex> maker_of(const Tape& tape, const at::Tensor& tensor) {
  const auto source = tape.source_of(tensor);
  return source ? maker_before(tape, tape.calls().size(), source->slot) : std::nullopt;
}

Origin origin_of(const Tape& tape, std::size_t call, std::size_t argument) {
  const TapedCall& taped = tape.calls()[call];
  std::size_t number = 0;
  for (std::size_t i = 0; i < argument; ++i) {
    reference::visit_tensors(taped.arguments[i], [&](const at::Tensor&) { ++number; });
  }
  const Source& source = taped.sources.at(number);
  if (source.slot < 0 || source.is_detached) return {};
  if (const auto place = maker_before(tape, call, source.slot)) return {.place = place};
  const auto input = std::ranges::find(tape.inputs(), source.slot, &Input::slot);
  if (input == tape.inputs().end()) return {};
  return {.input = static_cast<std::size_t>(input - tape.inputs().begin())};
}

}  // namespace ampprof::tape
