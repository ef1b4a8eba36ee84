// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/twins.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "tests/fake_cuda/arena.h"
#include "tests/fake_cuda/number.h"
#include "tests/fake_cuda/own_kernels.h"

namespace fake_cuda {
namespace {

template <typename T>
T argument(void** arguments, int place) {
  T value;
  std::memcpy(&value, arguments[place], sizeof value);
  return value;
}

/// LibTorch's kernels over dense elements take (int count, Functor functor, std::array<char*, N> data), results first.
template <typename Result, typename Operand, std::size_t kOperands, typename Each>
work::Work over_elements(void** arguments, Each each) {
  const int count = argument<int>(arguments, 0);
  const auto data = argument<std::array<void*, kOperands + 1>>(arguments, 2);
  return [=] {
    auto* const result = static_cast<Result*>(arena::on_host(data[0]));
    std::array<const Operand*, kOperands> operands;
    for (std::size_t i = 0; i < kOperands; ++i) operands[i] = static_cast<Operand*>(arena::on_host(data[i + 1]));
    for (int i = 0; i < count; ++i) result[i] = Result(each(operands, i));
  };
}

template <typename T>
work::Work fill(void** arguments) {
  return over_elements<T, T, 0>(arguments, [value = argument<T>(arguments, 1)](const auto&, int) { return value; });
}

template <typename T>
work::Work add(void** arguments) {
  return over_elements<T, T, 2>(arguments, [alpha = argument<float>(arguments, 1)](const auto& x, int i) {
    return float(x[0][i]) + alpha * float(x[1][i]);
  });
}

work::Work add_scalar(void** arguments) {
  struct Functor {
    float scalar;
    float alpha;
  };
  return over_elements<float, float, 1>(
      arguments, [f = argument<Functor>(arguments, 1)](const auto& x, int i) { return x[0][i] + f.scalar * f.alpha; });
}

template <typename T>
work::Work multiply(void** arguments) {
  return over_elements<T, T, 2>(arguments, [](const auto& x, int i) { return float(x[0][i]) * float(x[1][i]); });
}

template <typename T>
work::Work multiply_by_scalar(void** arguments) {
  struct Functor {
    char empty_functor;
    float scalar;
  };
  return over_elements<T, T, 1>(
      arguments, [f = argument<Functor>(arguments, 1)](const auto& x, int i) { return float(x[0][i]) * f.scalar; });
}

work::Work reciprocal(void** arguments) {
  return over_elements<double, double, 1>(arguments, [](const auto& x, int i) { return 1 / x[0][i]; });
}

template <typename To>
work::Work convert(void** arguments) {
  return over_elements<To, float, 1>(arguments, [](const auto& x, int i) { return x[0][i]; });
}

/// LibTorch's number for a type, as far as number.h has it.
cudaDataType type_of(std::int8_t scalar_type) {
  switch (scalar_type) {
    case 5:
      return CUDA_R_16F;
    case 6:
      return CUDA_R_32F;
    case 7:
      return CUDA_R_64F;
    default:
      return CUDA_R_16BF;
  }
}

bool has_numbers(std::int8_t scalar_type) { return (scalar_type >= 5 && scalar_type <= 7) || scalar_type == 15; }

/// A copy between types: the loader and the storer behind the offset calculators begin with the type's number.
work::Work copy_with_cast(void** arguments) {
  const int count = argument<int>(arguments, 0);
  const auto data = argument<std::array<void*, 2>>(arguments, 2);
  const auto from = argument<std::int8_t>(arguments, 5);
  const auto to = argument<std::int8_t>(arguments, 6);
  if (!has_numbers(from) || !has_numbers(to)) return {};
  return [=] {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      store(arena::on_host(data[0]), type_of(to), i, element(arena::on_host(data[1]), type_of(from), i));
    }
  };
}

/// (float* scale, int* growth tracker, const float* found inf, double growth, double backoff, int interval).
work::Work update_scale(void** arguments) {
  auto* const scale = argument<float*>(arguments, 0);
  auto* const tracker = argument<int*>(arguments, 1);
  auto* const found_inf = argument<float*>(arguments, 2);
  const auto growth = argument<double>(arguments, 3);
  const auto backoff = argument<double>(arguments, 4);
  const int interval = argument<int>(arguments, 5);
  return [=] {
    float& value = *arena::on_host(scale);
    int& successes = *arena::on_host(tracker);
    const bool overflowed = *arena::on_host(found_inf) != 0;
    successes = overflowed ? 0 : successes + 1;
    if (overflowed) value = static_cast<float>(value * backoff);
    if (successes != interval) return;
    value = static_cast<float>(value * growth);
    successes = 0;
  };
}

struct Twin {
  std::vector<const char*> parts;  ///< of the mangled name, in their order
  work::Work (*work_of)(void** arguments);
};

const std::vector<Twin>& twins() {
  static const std::vector<Twin>& all = *new std::vector<Twin>{
      {{"vectorized_elementwise_kernel", "FillFunctorIfE"}, fill<float>},
      {{"vectorized_elementwise_kernel", "FillFunctorIdE"}, fill<double>},
      {{"vectorized_elementwise_kernel", "FillFunctorIlE"}, fill<std::int64_t>},
      {{"vectorized_elementwise_kernel", "FillFunctorIiE"}, fill<std::int32_t>},
      {{"vectorized_elementwise_kernel", "FillFunctorIhE"}, fill<std::uint8_t>},
      {{"vectorized_elementwise_kernel", "FillFunctorIN3c104HalfE"}, fill<std::uint16_t>},
      {{"vectorized_elementwise_kernel", "CUDAFunctorOnSelf_addIfE"}, add_scalar},
      {{"vectorized_elementwise_kernel", "CUDAFunctor_addIfE"}, add<float>},
      {{"vectorized_elementwise_kernel", "CUDAFunctor_addIN3c104HalfE"}, add<__half>},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIfff", "MulFunctorIfE"}, multiply<float>},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIN3c104HalfE", "MulFunctorIfE"}, multiply<__half>},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIfff", "MulFunctorIfE"}, multiply_by_scalar<float>},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIN3c104HalfE", "MulFunctorIfE"}, multiply_by_scalar<__half>},
      {{"vectorized_elementwise_kernel", "24float16_copy_kernel_cuda"}, convert<__half>},
      {{"vectorized_elementwise_kernel", "25bfloat16_copy_kernel_cuda"}, convert<__nv_bfloat16>},
      {{"unrolled_elementwise_kernel", "direct_copy_kernel_cuda", "LoadWithCast"}, copy_with_cast},
      {{"vectorized_elementwise_kernel", "reciprocal_kernel_cuda", "UldE"}, reciprocal},
      {{"amp_update_scale_cuda_kernel"}, update_scale},
  };
  return all;
}

bool names(const Twin& twin, const std::string& mangled) {
  std::size_t from = 0;
  return std::ranges::all_of(twin.parts, [&](const char* part) {
    const std::size_t found = mangled.find(part, from);
    from = found;
    return found != std::string::npos;
  });
}

}  // namespace

work::Work twin_of(const std::string& mangled, [[maybe_unused]] dim3 grid, [[maybe_unused]] dim3 block,
                   void** arguments) {
#ifdef FAKE_CUDA_OWN_KERNELS
  if (is_own_kernel(mangled)) return own_twin_of(mangled, grid, block, arguments);
#endif
  const auto found = std::ranges::find_if(twins(), [&](const Twin& twin) { return names(twin, mangled); });
  return found == twins().end() ? work::Work{} : found->work_of(arguments);
}

}  // namespace fake_cuda
