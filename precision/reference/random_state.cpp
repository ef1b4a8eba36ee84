// SPDX-License-Identifier: Apache-2.0
#include "precision/reference/random_state.h"

#include <ATen/Context.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "precision/reference/arguments.h"

namespace ampprof::reference {
namespace {

at::CPUGeneratorImpl& engine_of(const at::Generator& generator) {
  return *at::check_generator<at::CPUGeneratorImpl>(generator);
}

bool same_engine(const at::mt19937& a, const at::mt19937& b) {
  const auto x = a.data();
  const auto y = b.data();
  return x.left_ == y.left_ && x.next_ == y.next_ && x.seed_ == y.seed_ && x.seeded_ == y.seeded_ &&
         x.state_ == y.state_;
}

}  // namespace

RandomState::RandomState(c10::ArrayRef<c10::IValue> arguments) {
  remember(at::detail::getDefaultCPUGenerator());
  if (const auto device = cuda_device_of(arguments)) remember(at::globalContext().defaultGenerator(*device));
  for (const auto& argument : arguments) {
    if (argument.isGenerator()) remember(argument.toGenerator());
  }
}

void RandomState::remember(at::Generator generator) {
  if (!generator.defined()) return;
  if (generator.device().is_cpu()) return cpu_.push_back(now(generator));
  const std::lock_guard lock(generator.mutex());
  const auto offset = generator.get_offset();
  device_.push_back({std::move(generator), offset});
}

RandomState::Cpu RandomState::now(const at::Generator& generator) {
  auto& cpu = engine_of(generator);
  const std::lock_guard lock(cpu.mutex_);
  return {generator, cpu.engine(), cpu.next_float_normal_sample(), cpu.next_double_normal_sample()};
}

bool RandomState::same(const Cpu& a, const Cpu& b) {
  return same_engine(a.engine, b.engine) && a.next_float == b.next_float && a.next_double == b.next_double;
}

bool RandomState::moved() const {
  return !std::ranges::all_of(cpu_, [](const Cpu& then) { return same(now(then.generator), then); }) ||
         !std::ranges::all_of(device_, [](Device then) {
           const std::lock_guard lock(then.generator.mutex());
           return then.generator.get_offset() == then.offset;
         });
}

void RandomState::restore() const {
  for (const Cpu& then : cpu_) {
    if (same(now(then.generator), then)) continue;
    auto& cpu = engine_of(then.generator);
    const std::lock_guard lock(cpu.mutex_);
    cpu.set_engine(then.engine);
    cpu.set_next_float_normal_sample(then.next_float);
    cpu.set_next_double_normal_sample(then.next_double);
  }
  for (Device then : device_) {
    const std::lock_guard lock(then.generator.mutex());
    if (then.generator.get_offset() != then.offset) then.generator.set_offset(then.offset);
  }
}

}  // namespace ampprof::reference
