// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "tests/fake_cuda/arena.h"
#include "tests/fake_cuda/work_queue.h"

/// Shared parts of twins: functions that compute on the CPU what LibTorch's kernels compute. Structs have the layout of
/// LibTorch's structs with the same names.
namespace fake_cuda {

template <typename T>
T argument(void** arguments, int place) {
  T value;
  std::memcpy(&value, arguments[place], sizeof value);
  return value;
}

/// Computes the byte offsets of elements in several tensors of one shape. The first dimension is the innermost.
template <std::size_t kTensors>
struct OffsetCalculator {
  static constexpr int kMostDimensions = 25;
  struct IntDivider {
    std::uint32_t divisor, magic, shift;
  };

  int dimensions;
  std::array<IntDivider, kMostDimensions> sizes;
  std::array<std::array<std::uint32_t, kTensors>, kMostDimensions> strides;

  std::array<std::uint32_t, kTensors> get(std::uint32_t element) const {
    std::array<std::uint32_t, kTensors> offsets{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
      for (std::size_t tensor = 0; tensor < kTensors; ++tensor) {
        offsets[tensor] += element % sizes[i].divisor * strides[i][tensor];
      }
      element /= sizes[i].divisor;
    }
    return offsets;
  }
};

/// Returns the element `offset` bytes after an address of device memory.
template <typename T>
T& element_at(const void* data, std::size_t offset) {
  return *reinterpret_cast<T*>(static_cast<char*>(arena::on_host(data)) + offset);
}

/// Runs a kernel over dense elements: (int count, Functor functor, std::array<char*, N> data), results first. Calls
/// `each` with one element of each operand.
template <typename Result, typename... Operands, typename Each>
work::Work over_elements(void** arguments, Each each) {
  const int count = argument<int>(arguments, 0);
  const auto data = argument<std::array<void*, sizeof...(Operands) + 1>>(arguments, 2);
  return [=]<std::size_t... k>(std::index_sequence<k...>) {
    return [=] {
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        element_at<Result>(data[0], i * sizeof(Result)) =
            Result(each(element_at<Operands>(data[k + 1], i * sizeof(Operands))...));
      }
    };
  }
  (std::index_sequence_for<Operands...>());
}

/// Layout of the lambda that a kernel for any strides takes: (int count, lambda).
template <std::size_t kTensors, typename Functor>
struct Strided {
  OffsetCalculator<kTensors> offsets;
  std::array<void*, kTensors> data;
  Functor functor;
};

/// Runs a kernel for any strides. Calls `each` with the functor, then one element of each operand.
template <typename Functor, typename Result, typename... Operands, typename Each>
work::Work over_strided_elements(void** arguments, Each each) {
  const int count = argument<int>(arguments, 0);
  const auto strided = argument<Strided<sizeof...(Operands) + 1, Functor>>(arguments, 1);
  return [=]<std::size_t... k>(std::index_sequence<k...>) {
    return [=] {
      for (int i = 0; i < count; ++i) {
        const auto offsets = strided.offsets.get(static_cast<std::uint32_t>(i));
        element_at<Result>(strided.data[0], offsets[0]) =
            Result(each(strided.functor, element_at<Operands>(strided.data[k + 1], offsets[k + 1])...));
      }
    };
  }
  (std::index_sequence_for<Operands...>());
}

}  // namespace fake_cuda
