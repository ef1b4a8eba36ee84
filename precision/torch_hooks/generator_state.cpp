// SPDX-License-Identifier: Apache-2.0
#include "precision/torch_hooks/generator_state.h"

#include <mutex>
#include <utility>

namespace ampprof::torch_hooks {
namespace {

at::CPUGeneratorImpl& on_cpu(const at::Generator& generator) {
  return *at::check_generator<at::CPUGeneratorImpl>(generator);
}

bool same_engine(const at::mt19937& a, const at::mt19937& b) {
  const auto x = a.data();
  const auto y = b.data();
  return x.left_ == y.left_ && x.next_ == y.next_ && x.seed_ == y.seed_ && x.seeded_ == y.seeded_ &&
         x.state_ == y.state_;
}

}  // namespace

GeneratorState::GeneratorState(at::Generator generator) : generator_(std::move(generator)), then_(now(generator_)) {}

GeneratorState::Place GeneratorState::now(at::Generator generator) {
  const std::lock_guard lock(generator.mutex());
  if (!generator.device().is_cpu()) return generator.get_offset();
  auto& cpu = on_cpu(generator);
  return OnCpu{cpu.engine(), cpu.next_float_normal_sample(), cpu.next_double_normal_sample()};
}

bool GeneratorState::same(const Place& a, const Place& b) {
  if (const auto* offset = std::get_if<std::uint64_t>(&a)) return *offset == std::get<std::uint64_t>(b);
  const auto& x = std::get<OnCpu>(a);
  const auto& y = std::get<OnCpu>(b);
  return same_engine(x.engine, y.engine) && x.next_float == y.next_float && x.next_double == y.next_double;
}

bool GeneratorState::moved() const { return !same(now(generator_), then_); }

void GeneratorState::restore() const {
  if (!moved()) return;
  at::Generator generator = generator_;
  const std::lock_guard lock(generator.mutex());
  if (const auto* offset = std::get_if<std::uint64_t>(&then_)) return generator.set_offset(*offset);
  const auto& then = std::get<OnCpu>(then_);
  auto& cpu = on_cpu(generator);
  cpu.set_engine(then.engine);
  cpu.set_next_float_normal_sample(then.next_float);
  cpu.set_next_double_normal_sample(then.next_double);
}

}  // namespace ampprof::torch_hooks
