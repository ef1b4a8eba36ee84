// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/device_results.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "precision/error/kernels_cuda.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/line_up.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"

namespace ampprof::tensors {
namespace {

using error::cuda::AccumulatorWithExponents;

constexpr std::size_t kFewestSlots = 16;
constexpr std::size_t kMostSlots = 4096;  // 4 MiB

c10::Stream current_stream(const c10::Device& device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

void accumulate_on_host(const LinedUp& pair, error::Spacing spacing, AccumulatorWithExponents& into) {
  const at::Tensor y = pair.output.to(at::kDouble);
  const at::Tensor r = pair.reference.defined() ? pair.reference.to(at::kDouble) : at::Tensor();
  error::cuda::add_all(y.const_data_ptr<double>(), r.defined() ? r.const_data_ptr<double>() : nullptr,
                       static_cast<std::size_t>(y.numel()), spacing, into);
}

void accumulate_on_device(const LinedUp& pair, error::Spacing spacing, AccumulatorWithExponents* into,
                          const c10::Stream& stream) {
#ifdef AMPPROF_HAS_CUDA
  const std::string refused = error::cuda::launch_measure(elements(pair.output), elements(pair.reference), spacing,
                                                          into, stream.device_index(), stream.native_handle());
  if (!refused.empty()) throw std::runtime_error("the CUDA kernel for error statistics did not start: " + refused);
#else
  static_cast<void>(pair), static_cast<void>(spacing), static_cast<void>(into), static_cast<void>(stream);
  throw std::runtime_error("ampprof was built without CUDA");
#endif
}

}  // namespace

bool DeviceResults::serves(const at::Tensor& tensor) {
#ifdef AMPPROF_HAS_CUDA
  return has_plain_memory(tensor) && tensor.is_cuda();
#else
  return static_cast<void>(tensor), false;
#endif
}

DeviceResults::Ticket DeviceResults::add(const at::Tensor& output, const at::Tensor& reference,
                                         std::optional<error::Spacing> spacing) {
  const ObserverDisabledGuard guard;
  const LinedUp pair = line_up(output, reference);
  const std::lock_guard lock(mutex_);
  const Ticket ticket = ++last_;
  if (!pair.output.defined()) {
    arrived_[ticket] = {};
    return ticket;
  }
  const error::Spacing unit = spacing.value_or(error::spacing_of(dtype_of(output)));
  const c10::DeviceGuard on_device(output.device());
  const c10::Stream stream = current_stream(output.device());
  auto* slot = static_cast<AccumulatorWithExponents*>(slot_on(stream, {ticket, pair.reference.defined()}));
  output.is_cpu() ? accumulate_on_host(pair, unit, *slot) : accumulate_on_device(pair, unit, slot, stream);
  return ticket;
}

void* DeviceResults::slot_on(const c10::Stream& stream, Place place) {
  const auto has_room = [&](const Slots& slots) {
    return slots.stream == stream && slots.taken.size() < static_cast<std::size_t>(slots.memory.size(0));
  };
  auto found = std::ranges::find_if(slots_, has_room);
  if (found == slots_.end()) {
    const std::size_t size = std::min(kFewestSlots << std::min<std::size_t>(slots_.size(), 16), kMostSlots);
    const auto options = at::TensorOptions(stream.device()).dtype(at::kByte);
    const auto bytes = static_cast<std::int64_t>(sizeof(AccumulatorWithExponents));
    slots_.push_back({stream, at::zeros({static_cast<std::int64_t>(size), bytes}, options), {}});
    found = std::prev(slots_.end());
  }
  found->taken.push_back(place);
  return static_cast<AccumulatorWithExponents*>(found->memory.mutable_data_ptr()) + (found->taken.size() - 1);
}

error::OutputStatistics DeviceResults::take(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  if (!arrived_.contains(ticket)) bring_all();
  return arrived_.extract(ticket).mapped();
}

void DeviceResults::bring_all() {
  const ObserverDisabledGuard guard;
  for (Slots& slots : slots_) {
    if (slots.taken.empty()) continue;
    const c10::StreamGuard on_stream(slots.stream);
    const at::Tensor used = slots.memory.narrow(0, 0, static_cast<std::int64_t>(slots.taken.size()));
    const at::Tensor here = used.to(at::kCPU, /*non_blocking=*/false, /*copy=*/true);
    const auto* found = static_cast<const AccumulatorWithExponents*>(here.const_data_ptr());
    for (const Place& place : slots.taken) arrived_[place.ticket] = measured_from(*found++, place.has_reference);
    used.zero_();
    slots.taken.clear();
  }
}

}  // namespace ampprof::tensors
