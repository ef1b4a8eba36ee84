// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/deferred_reductions.h"

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <utility>

#include "precision/cuda/kernels.h"
#include "precision/tensors/as_contiguous_pair.h"
#include "precision/tensors/capture.h"
#include "precision/tensors/dtype_of.h"
#include "precision/tensors/enqueue.h"
#include "precision/tensors/observer_disabled_guard.h"
#include "precision/tensors/plain_memory.h"
#include "precision/tensors/sketch_of.h"

namespace ampprof::tensors {
namespace {

using error::cuda::AccumulatorWithExponents;
using sketch::cuda::DeviceSketch;

c10::Stream current_stream(const c10::Device& device) {
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

void accumulate_on_host(const ContiguousPair& pair, error::Spacing spacing, AccumulatorWithExponents& into) {
  const at::Tensor y = pair.output.to(at::kDouble);
  const at::Tensor r = pair.reference.defined() ? pair.reference.to(at::kDouble) : at::Tensor();
  error::cuda::add_all(y.const_data_ptr<double>(), r.defined() ? r.const_data_ptr<double>() : nullptr,
                       static_cast<std::size_t>(y.numel()), spacing, into);
}

/// Tells whether the pass that measures an output can also sketch it, which requires that the pass reads the elements
/// in order and unconverted.
bool is_in_order(const at::Tensor& lined_up, const at::Tensor& output) {
  return lined_up.is_contiguous() && lined_up.scalar_type() == output.scalar_type();
}

}  // namespace

bool DeferredReductions::serves(const at::Tensor& tensor) {
  return has_plain_memory(tensor) && tensor.is_cuda() && cuda::kernels() != nullptr;
}

bool DeferredReductions::refuses(const c10::Device& device) const { return is_closed_ || tensors::is_captured(device); }

void* DeferredReductions::sketch_slot(const c10::Stream& stream, PendingSketch& late) {
  const auto sketch = std::make_shared<Sketch>();
  late = sketch;
  return slots_.next(stream, sizeof(DeviceSketch), [sketch](const void* found) {
    *sketch = sketch::cuda::sketch_from(*static_cast<const DeviceSketch*>(found));
  });
}

DeferredReductions::Ticket DeferredReductions::add(const at::Tensor& output, const at::Tensor& reference,
                                                   std::optional<error::Spacing> spacing, SketchBeside* beside) {
  const ObserverDisabledGuard guard;
  const std::lock_guard lock(mutex_);
  const Ticket ticket = ++last_;
  if (is_closed_) return ticket;
  const bool is_refused = output.defined() && refuses(output.device());
  const ContiguousPair pair = is_refused ? ContiguousPair{} : as_contiguous_pair(output, reference);
  if (!pair.output.defined()) {
    arrived_[ticket] = {};
    return ticket;
  }
  const error::Spacing unit = spacing.value_or(error::spacing_of(dtype_of(output)));
  const c10::DeviceGuard on_device(output.device());
  const c10::Stream stream = current_stream(output.device());
  const bool has_reference = pair.reference.defined();
  const auto arrive = [this, ticket, has_reference](const void* found) {
    arrived_[ticket] = measured_from(*static_cast<const AccumulatorWithExponents*>(found), has_reference);
  };
  auto* slot = static_cast<AccumulatorWithExponents*>(slots_.next(stream, sizeof(AccumulatorWithExponents), arrive));
  if (output.is_cpu()) {
    accumulate_on_host(pair, unit, *slot);
    return ticket;
  }
  DeviceSketch* sketch = nullptr;
  if (beside != nullptr && is_in_order(pair.output, output)) {
    sketch = static_cast<DeviceSketch*>(sketch_slot(stream, beside->made));
  }
  enqueue(stream, [&](const cuda::Kernels& kernels, int device, void* queue) {
    const error::Elements y = elements(pair.output);
    const error::Elements r = elements(pair.reference);
    return sketch == nullptr
               ? kernels.measure(y, r, unit, slot, device, queue)
               : kernels.measure_and_add_sketch(y, r, unit, slot, beside->start, sketch, device, queue);
  });
  return ticket;
}

error::OutputStatistics DeferredReductions::take(Ticket ticket) {
  const std::lock_guard lock(mutex_);
  if (!arrived_.contains(ticket) && !is_closed_ && !is_captured()) {
    const ObserverDisabledGuard guard;
    slots_.bring_all();
  }
  const auto found = arrived_.extract(ticket);
  return found.empty() ? error::OutputStatistics{} : found.mapped();
}

void DeferredReductions::close() {
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  slots_.clear();
}

PendingSketch DeferredReductions::add_sketch(const at::Tensor& output, std::uint64_t start) {
  const ObserverDisabledGuard guard;
  const std::lock_guard lock(mutex_);
  if (refuses(output.device())) return std::make_shared<Sketch>();
  const at::Tensor values = in_order(output);
  const c10::DeviceGuard on_device(output.device());
  const c10::Stream stream = current_stream(output.device());
  PendingSketch late;
  auto* slot = static_cast<DeviceSketch*>(sketch_slot(stream, late));
  if (output.is_cpu()) {
    sketch::cuda::add_to(*slot, sketch_of(output, start));
  } else {
    enqueue(stream, [&](const cuda::Kernels& kernels, int device, void* queue) {
      return kernels.add_sketch(elements(values), start, slot, device, queue);
    });
  }
  return late;
}

PendingSketch DeferredReductions::add_checksum(const at::Tensor& tensor) {
  const ObserverDisabledGuard guard;
  const std::lock_guard lock(mutex_);
  if (refuses(tensor.device())) return std::make_shared<Sketch>();
  const at::Tensor values = in_order(tensor);
  const c10::DeviceGuard on_device(tensor.device());
  const c10::Stream stream = current_stream(tensor.device());
  PendingSketch late;
  auto* slot = static_cast<DeviceSketch*>(sketch_slot(stream, late));
  if (tensor.is_cpu()) {
    slot->checksum = checksum_of(tensor);
  } else {
    enqueue(stream, [&](const cuda::Kernels& kernels, int device, void* queue) {
      return kernels.add_checksum(values.const_data_ptr(), static_cast<std::size_t>(values.numel()),
                                  values.itemsize(), slot, device, queue);
    });
  }
  return late;
}

void DeferredReductions::add_other(std::size_t bytes, const c10::Device& device,
                                   const std::function<void(void* slot, const c10::Stream& stream)>& work,
                                   DeviceSlots::Arrived arrived) {
  const ObserverDisabledGuard guard;
  const std::lock_guard lock(mutex_);
  if (refuses(device)) return;
  const c10::DeviceGuard on_device(device);
  const c10::Stream stream = current_stream(device);
  work(slots_.next(stream, bytes, std::move(arrived)), stream);
}

bool DeferredReductions::is_captured() const {
  return slots_.any_stream(
      [](const c10::Stream& stream) { return tensors::is_captured(stream) || tensors::is_captured(stream.device()); });
}

bool DeferredReductions::complete() {
  const ObserverDisabledGuard guard;
  const std::lock_guard lock(mutex_);
  if (is_captured()) return false;
  slots_.bring_all();
  return true;
}

}  // namespace ampprof::tensors
