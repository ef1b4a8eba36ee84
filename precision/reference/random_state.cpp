// SPDX-License-Identifier: Apache-2.0
#include "precision/reference/random_state.h"

#include <ATen/Context.h>

#include <mutex>

namespace ampprof {
namespace {

at::CPUGeneratorImpl& cpu_generator() {
  return *at::check_generator<at::CPUGeneratorImpl>(at::detail::getDefaultCPUGenerator());
}

bool same(const at::mt19937& a, const at::mt19937& b) {
  const auto x = a.data();
  const auto y = b.data();
  return x.left_ == y.left_ && x.next_ == y.next_ && x.seed_ == y.seed_ && x.seeded_ == y.seeded_ &&
         x.state_ == y.state_;
}

}  // namespace

RandomState::RandomState(std::optional<at::Device> device) {
  auto& cpu = cpu_generator();
  {
    const std::lock_guard lock(cpu.mutex_);
    engine_ = cpu.engine();
    next_float_ = cpu.next_float_normal_sample();
    next_double_ = cpu.next_double_normal_sample();
  }
  if (!device) return;
  device_ = at::globalContext().defaultGenerator(*device);
  const std::lock_guard lock(device_.mutex());
  device_offset_ = device_.get_offset();
}

bool RandomState::restore() {
  const bool cpu_moved = restore_cpu();
  const bool device_moved = restore_device();
  return cpu_moved || device_moved;
}

bool RandomState::restore_cpu() {
  auto& cpu = cpu_generator();
  const std::lock_guard lock(cpu.mutex_);
  if (same(cpu.engine(), engine_) && cpu.next_float_normal_sample() == next_float_ &&
      cpu.next_double_normal_sample() == next_double_) {
    return false;
  }
  cpu.set_engine(engine_);
  cpu.set_next_float_normal_sample(next_float_);
  cpu.set_next_double_normal_sample(next_double_);
  return true;
}

bool RandomState::restore_device() {
  if (!device_.defined()) return false;
  const std::lock_guard lock(device_.mutex());
  if (device_.get_offset() == device_offset_) return false;
  device_.set_offset(device_offset_);
  return true;
}

}  // namespace ampprof
