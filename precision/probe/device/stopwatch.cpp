// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/device/stopwatch.h"

#include <ATen/ATen.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

namespace ampprof::probe {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

void repeat(const std::function<void()>& call, std::int64_t calls) {
  for (std::int64_t i = 0; i < calls; ++i) call();
}

/// Measures the time between two events of the device's current stream.
class DeviceStopwatch {
 public:
  DeviceStopwatch(std::function<void()> call, c10::Device device)
      : call_(std::move(call)),
        stream_(c10::impl::VirtualGuardImpl(device.type()).getStream(device)),
        operand_(at::ones({kBlockerSize, kBlockerSize}, at::TensorOptions().device(device))) {}

  double operator()(std::int64_t calls) {
    keep_busy(launch_us_ * static_cast<double>(calls));
    const double us = time([&] {
      const auto begin = Clock::now();
      repeat(call_, calls);
      launch_us_ = us_since(begin) / static_cast<double>(calls);
    });
    return us / static_cast<double>(calls);
  }

 private:
  static constexpr std::int64_t kBlockerSize = 2048;
  static constexpr double kMostBusyUs = 50'000;

  template <class Launch>
  double time(Launch launch) {
    c10::Event begin(stream_.device_type(), c10::EventFlag::BACKEND_DEFAULT);
    c10::Event end(stream_.device_type(), c10::EventFlag::BACKEND_DEFAULT);
    begin.record(stream_);
    launch();
    end.record(stream_);
    end.synchronize();
    return begin.elapsedTime(end) * 1e3;
  }

  void keep_busy(double us) {
    if (us <= 0) return;  // the time of a call is not known before the first call
    const auto block = [&] { at::mm(operand_, operand_); };
    if (blocker_us_ == 0) {
      block();  // the first call also loads its kernel
      blocker_us_ = std::max(time(block), 1.0);
    }
    repeat(block, static_cast<std::int64_t>(std::ceil(1.5 * std::min(us, kMostBusyUs) / blocker_us_)));
  }

  std::function<void()> call_;
  c10::Stream stream_;
  at::Tensor operand_;
  double launch_us_ = 0;
  double blocker_us_ = 0;
};

}  // namespace

TimeCalls stopwatch_for(std::function<void()> call, c10::Device device) {
  if (device.is_cpu()) {
    return [call = std::move(call)](std::int64_t calls) {
      const auto begin = Clock::now();
      repeat(call, calls);
      return us_since(begin) / static_cast<double>(calls);
    };
  }
  const auto stopwatch = std::make_shared<DeviceStopwatch>(std::move(call), device);
  return [stopwatch](std::int64_t calls) { return (*stopwatch)(calls); };
}

}  // namespace ampprof::probe
