// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/twins.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tests/fake_cuda/arena.h"
#include "tests/fake_cuda/elements.h"
#include "tests/fake_cuda/number.h"
#include "tests/fake_cuda/own_kernels.h"
#include "tests/fake_cuda/reductions.h"
#include "tests/fake_cuda/settings.h"

namespace fake_cuda {
namespace {

template <typename T>
work::Work fill(dim3, void** arguments) {
  return over_elements<T>(arguments, [value = argument<T>(arguments, 1)] { return value; });
}

template <typename T, typename Number = float>
work::Work add(dim3, void** arguments) {
  return over_elements<T, T, T>(
      arguments, [alpha = argument<Number>(arguments, 1)](T a, T b) { return Number(a) + alpha * Number(b); });
}

work::Work add_scalar(dim3, void** arguments) {
  struct Functor {
    float scalar;
    float alpha;
  };
  return over_elements<float, float>(arguments,
                                     [f = argument<Functor>(arguments, 1)](float a) { return a + f.scalar * f.alpha; });
}

template <typename T>
work::Work multiply(dim3, void** arguments) {
  return over_elements<T, T, T>(arguments, [](T a, T b) { return float(a) * float(b); });
}

work::Work multiply_strided(dim3, void** arguments) {
  return over_strided_elements<char, float, float, float>(arguments, [](char, float a, float b) { return a * b; });
}

work::Work add_strided(dim3, void** arguments) {
  return over_strided_elements<float, float, float, float>(arguments,
                                                           [](float alpha, float a, float b) { return a + alpha * b; });
}

/// Layout of LibTorch's BUnaryFunctor and AUnaryFunctor.
template <typename Number>
struct ByScalar {
  char empty_functor;
  Number scalar;
};

template <typename T, typename Number = float>
work::Work multiply_by_scalar(dim3, void** arguments) {
  return over_elements<T, T>(arguments,
                             [f = argument<ByScalar<Number>>(arguments, 1)](T a) { return Number(a) * f.scalar; });
}

work::Work multiply_strided_by_scalar(dim3, void** arguments) {
  return over_strided_elements<ByScalar<float>, float, float>(arguments,
                                                              [](ByScalar<float> f, float a) { return a * f.scalar; });
}

/// Implements nan_to_num(). One functor has the three replacements, in this order.
work::Work nan_to_number(dim3, void** arguments) {
  struct Functor {
    float nan, positive, negative;
  };
  return over_elements<float, float>(arguments, [f = argument<Functor>(arguments, 1)](float a) {
    if (std::isnan(a)) return f.nan;
    return std::isinf(a) ? (a > 0 ? f.positive : f.negative) : a;
  });
}

work::Work reciprocal(dim3, void** arguments) {
  return over_elements<double, double>(arguments, [](double a) { return 1 / a; });
}

/// Implements clamp() and relu().
template <typename T>
work::Work clamp(dim3, void** arguments) {
  enum class Limits { Low, High, Both };
  struct Functor {
    Limits which;
    float first;
    float second;
  };
  return over_elements<T, T>(arguments, [f = argument<Functor>(arguments, 1)](T element) {
    const float value = element;
    if (std::isnan(value)) return value;
    if (f.which == Limits::High) return std::min(value, f.first);
    const float raised = std::max(value, f.first);
    return f.which == Limits::Low ? raised : std::min(raised, f.second);
  });
}

/// Implements threshold_backward() and the backward of relu().
template <typename T>
work::Work threshold(dim3, void** arguments) {
  struct Functor {
    T threshold;
    T value;
  };
  return over_elements<T, T, T>(arguments, [f = argument<Functor>(arguments, 1)](T a, T other) {
    return float(a) <= float(f.threshold) ? f.value : other;
  });
}

work::Work squared_error(dim3, void** arguments) {
  return over_elements<float, float, float>(arguments, [](float a, float b) { return (a - b) * (a - b); });
}

work::Work squared_error_backward(dim3, void** arguments) {
  return over_strided_elements<float, float, float, float, float>(
      arguments, [](float factor, float a, float b, float grad) { return factor * (a - b) * grad; });
}

template <typename T>
work::Work absolute(dim3, void** arguments) {
  return over_elements<T, T>(arguments, [](T a) { return std::abs(double(a)); });
}

template <typename T>
work::Work negative(dim3, void** arguments) {
  return over_elements<T, T>(arguments, [](T a) { return -double(a); });
}

/// Implements masked_fill(). It copies bits, so one type for each size is enough.
template <typename T>
work::Work fill_where(dim3, void** arguments) {
  return over_elements<T, T, bool>(
      arguments, [value = argument<T>(arguments, 1)](T a, bool is_masked) { return is_masked ? value : a; });
}

enum class Equality : int { Equal, NotEqual };

bool compare(Equality how, double a, double b) { return (a == b) == (how == Equality::Equal); }

template <typename T>
work::Work equal(dim3, void** arguments) {
  return over_elements<bool, T, T>(arguments,
                                   [how = argument<Equality>(arguments, 1)](T a, T b) { return compare(how, a, b); });
}

template <typename T>
work::Work equal_to_scalar(dim3, void** arguments) {
  struct Functor {
    Equality how;
    T scalar;
  };
  return over_elements<bool, T>(arguments,
                                [f = argument<Functor>(arguments, 1)](T a) { return compare(f.how, f.scalar, a); });
}

work::Work both(dim3, void** arguments) {
  return over_elements<bool, bool, bool>(arguments, [](bool a, bool b) { return a && b; });
}

work::Work either(dim3, void** arguments) {
  return over_elements<bool, bool, bool>(arguments, [](bool a, bool b) { return a || b; });
}

work::Work exclusive_or_with_scalar(dim3, void** arguments) {
  return over_elements<std::int16_t, std::int16_t>(
      arguments, [f = argument<ByScalar<std::int16_t>>(arguments, 1)](std::int16_t a) { return a ^ f.scalar; });
}

template <typename To>
work::Work convert(dim3, void** arguments) {
  return over_elements<To, float>(arguments, [](float a) { return a; });
}

template <typename T>
work::Work copy_strided(dim3, void** arguments) {
  return over_strided_elements<char, T, T>(arguments, [](char, T a) { return a; });
}

/// Returns the CUDA type of a LibTorch scalar type, if number.h supports it. The table is never destroyed, because a
/// program may still use its device while it exits.
std::optional<cudaDataType> type_of(std::int8_t scalar_type) {
  static const auto& types =
      *new std::map<std::int8_t, cudaDataType>{{0, CUDA_R_8U},  {3, CUDA_R_32I}, {4, CUDA_R_64I}, {5, CUDA_R_16F},
                                               {6, CUDA_R_32F}, {7, CUDA_R_64F}, {11, CUDA_R_8U}, {15, CUDA_R_16BF}};
  const auto found = types.find(scalar_type);
  return found == types.end() ? std::nullopt : std::optional(found->second);
}

/// Runs a kernel over dense elements of tensors whose types differ from the functor's. After the offset calculators,
/// the arguments are a loader and a storer, which begin with the tensors' types. Calls `each` with an array of one
/// element per operand.
template <typename Number, std::size_t kOperands, typename Each>
work::Work over_elements_with_casts(void** arguments, Each each) {
  const int count = argument<int>(arguments, 0);
  const auto data = argument<std::array<void*, kOperands + 1>>(arguments, 2);
  const auto loaded = argument<std::array<std::int8_t, kOperands>>(arguments, 5);
  std::array<cudaDataType, kOperands + 1> types;
  for (std::size_t k = 0; k <= kOperands; ++k) {
    const auto type = type_of(k == 0 ? argument<std::int8_t>(arguments, 6) : loaded[k - 1]);
    if (!type) return {};
    types[k] = *type;
  }
  return [=] {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      std::array<Number, kOperands> operands;
      for (std::size_t k = 0; k < kOperands; ++k) {
        operands[k] = static_cast<Number>(element(arena::on_host(data[k + 1]), types[k + 1], i));
      }
      store(arena::on_host(data[0]), types[0], i, static_cast<double>(each(operands)));
    }
  };
}

work::Work copy_with_cast(dim3, void** arguments) {
  return over_elements_with_casts<double, 1>(arguments, [](const auto& x) { return x[0]; });
}

work::Work equal_with_cast(dim3, void** arguments) {
  return over_elements_with_casts<float, 2>(
      arguments, [how = argument<Equality>(arguments, 1)](const auto& x) { return compare(how, x[0], x[1]); });
}

work::Work multiply_with_cast(dim3, void** arguments) {
  return over_elements_with_casts<float, 2>(arguments, [](const auto& x) { return x[0] * x[1]; });
}

work::Work add_with_cast(dim3, void** arguments) {
  return over_elements_with_casts<float, 2>(
      arguments, [alpha = argument<float>(arguments, 1)](const auto& x) { return x[0] + alpha * x[1]; });
}

work::Work multiply_by_scalar_with_cast(dim3, void** arguments) {
  return over_elements_with_casts<double, 1>(
      arguments, [f = argument<ByScalar<double>>(arguments, 1)](const auto& x) { return x[0] * f.scalar; });
}

/// Takes (float* scale, int* growth tracker, const float* found inf, double growth, double backoff, int interval).
work::Work update_scale(dim3, void** arguments) {
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

/// Takes (TensorListMetadata<1> lists, Callable, {float* found inf, const float* inverse scale}). A block processes one
/// chunk.
work::Work unscale(dim3 grid, void** arguments) {
  constexpr std::int64_t kChunk = 65536;
  struct Lists {
    float* tensors[110];
    std::int64_t sizes[110];
    unsigned char tensor_of_block[320];
    int chunk_of_block[320];
    int first_tensor;
  };
  struct Operation {
    float* found_inf;
    float* inverse_scale;
  };
  return [=, lists = argument<Lists>(arguments, 0), operation = argument<Operation>(arguments, 2)] {
    const float inverse = *arena::on_host(operation.inverse_scale);
    for (unsigned block = 0; block < grid.x; ++block) {
      const unsigned tensor = lists.tensor_of_block[block];
      const std::int64_t first = lists.chunk_of_block[block] * kChunk;
      const std::int64_t end = std::min(lists.sizes[tensor], first + kChunk);
      for (float* at = arena::on_host(lists.tensors[tensor]) + first; at < arena::on_host(lists.tensors[tensor]) + end;
           ++at) {
        if (!std::isfinite(*at)) *arena::on_host(operation.found_inf) = 1;
        *at *= inverse;
      }
    }
  };
}

struct Twin {
  std::vector<const char*> parts;  ///< substrings of the mangled name, in order
  work::Work (*work_of)(dim3 grid, void** arguments);
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
      {{"vectorized_elementwise_kernel", "CUDAFunctor_addIdE"}, add<double, double>},
      {{"vectorized_elementwise_kernel", "CUDAFunctor_addIN3c104HalfE"}, add<__half>},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIfff", "MulFunctorIfE"}, multiply<float>},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIN3c104HalfE", "MulFunctorIfE"}, multiply<__half>},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIfff", "MulFunctorIfE"}, multiply_by_scalar<float>},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIN3c104HalfE", "MulFunctorIfE"}, multiply_by_scalar<__half>},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIddd", "MulFunctorIdE"}, multiply_by_scalar<double, double>},
      {{"unrolled_elementwise_kernel", "UnaryFunctorIddd", "MulFunctorIdE", "LoadWithCast"},
       multiply_by_scalar_with_cast},
      {{"unrolled_elementwise_kernel", "13BinaryFunctorIfff", "MulFunctorIfE", "LoadWithCast"}, multiply_with_cast},
      {{"unrolled_elementwise_kernel", "CUDAFunctor_addIfE", "LoadWithCast"}, add_with_cast},
      {{"vectorized_elementwise_kernel", "nan_to_num_kernel_cuda", "clEvEUlfE_"}, nan_to_number},
      {{"vectorized_elementwise_kernel", "24float16_copy_kernel_cuda"}, convert<__half>},
      {{"vectorized_elementwise_kernel", "25bfloat16_copy_kernel_cuda"}, convert<__nv_bfloat16>},
      {{"unrolled_elementwise_kernel", "direct_copy_kernel_cuda", "LoadWithCast"}, copy_with_cast},
      {{"vectorized_elementwise_kernel", "reciprocal_kernel_cuda", "UldE"}, reciprocal},
      {{"vectorized_elementwise_kernel", "launch_clamp_scalar", "clEvEUlfE_"}, clamp<float>},
      {{"vectorized_elementwise_kernel", "launch_clamp_scalar", "clEvEUlNS5_4HalfEE_"}, clamp<__half>},
      {{"vectorized_elementwise_kernel", "threshold_kernel_implIfE"}, threshold<float>},
      {{"vectorized_elementwise_kernel", "BinaryFunctorIN3c104HalfE", "threshold_kernel_implI"}, threshold<__half>},
      {{"vectorized_elementwise_kernel", "mse_kernel_cuda", "UlffE_"}, squared_error},
      {{"vectorized_elementwise_kernel", "AbsFunctorIN3c104HalfE"}, absolute<__half>},
      {{"vectorized_elementwise_kernel", "AbsFunctorIfE"}, absolute<float>},
      {{"vectorized_elementwise_kernel", "AbsFunctorIdE"}, absolute<double>},
      {{"vectorized_elementwise_kernel", "neg_kernel_cuda", "clEvEUlN3c104HalfEE_"}, negative<__half>},
      {{"vectorized_elementwise_kernel", "neg_kernel_cuda", "clEvEUlfE_"}, negative<float>},
      {{"vectorized_elementwise_kernel", "neg_kernel_cuda", "clEvEUldE_"}, negative<double>},
      {{"vectorized_elementwise_kernel", "masked_fill_kernel", "UldbE_"}, fill_where<double>},
      {{"vectorized_elementwise_kernel", "masked_fill_kernel", "BFloat16EbE_"}, fill_where<std::uint16_t>},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIffb", "CompareEqFunctorIfE"}, equal<float>},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIN3c104HalfES4_b", "CompareEqFunctor"}, equal<__half>},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIffb", "CompareEqFunctorIfE"}, equal_to_scalar<float>},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIN3c104HalfES4_b", "CompareEqFunctor"}, equal_to_scalar<__half>},
      {{"unrolled_elementwise_kernel", "13BinaryFunctorIffb", "CompareEqFunctorIfE", "LoadWithCast"}, equal_with_cast},
      {{"vectorized_elementwise_kernel", "UnaryFunctorIsss", "BitwiseXorFunctorIsE"}, exclusive_or_with_scalar},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIbbb", "MulFunctorIbE"}, both},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIbbb", "logical_and_kernel_cuda"}, both},
      {{"vectorized_elementwise_kernel", "13BinaryFunctorIbbb", "logical_or_kernel_cuda"}, either},
      {{"18elementwise_kernel", "gpu_kernel_impl_nocast", "mse_backward_cuda_kernel", "UlfffE_"},
       squared_error_backward},
      {{"18elementwise_kernel", "gpu_kernel_impl_nocast", "13BinaryFunctorIfff", "MulFunctorIfE"}, multiply_strided},
      {{"18elementwise_kernel", "gpu_kernel_impl_nocast", "CUDAFunctor_addIfE"}, add_strided},
      {{"18elementwise_kernel", "gpu_kernel_impl_nocast", "UnaryFunctorIfff", "MulFunctorIfE"},
       multiply_strided_by_scalar},
      {{"18elementwise_kernel", "gpu_kernel_impl_nocast", "direct_copy_kernel_cuda", "UlfE_"}, copy_strided<float>},
      {{"18elementwise_kernel", "gpu_kernel_impl_nocast", "direct_copy_kernel_cuda", "UlN3c104HalfEE_"},
       copy_strided<__half>},
      {{"reduce_kernel", "ReduceOpIf", "MeanOpsIffffE"}, mean<float, float, float>},
      {{"reduce_kernel", "ReduceOpIf", "sum_functorIfffE"}, sum<float, float, float>},
      {{"reduce_kernel", "ReduceOpId", "sum_functorIdddE"}, sum<double, double, double>},
      {{"reduce_kernel", "ReduceOpIN3c104HalfE", "sum_functorIS4_fS4_E"}, sum<__half, float, __half>},
      {{"reduce_kernel", "ReduceOpIl", "sum_functorIlllE"}, sum<std::int64_t, std::int64_t, std::int64_t>},
      {{"reduce_kernel", "ReduceOpId", "MaxNanFunctorIdE"}, largest<double>},
      {{"reduce_kernel", "ReduceOpId", "NormTwoOpsIddd"}, length<double>},
      {{"reduce_kernel", "ReduceOpIN3c104HalfE", "AbsMaxOps"}, largest_magnitude<__half>},
      {{"reduce_kernel", "ReduceOpIN3c108BFloat16E", "AbsMaxOps"}, largest_magnitude<__nv_bfloat16>},
      {{"reduce_kernel", "ReduceOpIf", "AbsMaxOpsIfffE"}, largest_magnitude<float>},
      {{"reduce_kernel", "ReduceOpIb", "and_kernel_cuda", "UlbbE_"}, all_of_bools},
      {{"multi_tensor_apply_kernel", "UnaryOpFunctorIfLi1E", "amp_foreach_non_finite_check_and_unscale_cuda"}, unscale},
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

work::Work twin_of(const std::string& mangled, dim3 grid, [[maybe_unused]] dim3 block, void** arguments) {
  if (settings().computing == Computing::None) return {};
#ifdef FAKE_CUDA_OWN_KERNELS
  if (is_own_kernel(mangled) && settings().computing == Computing::All)
    return own_twin_of(mangled, grid, block, arguments);
#endif
  const auto found = std::ranges::find_if(twins(), [&](const Twin& twin) { return names(twin, mangled); });
  return found == twins().end() ? work::Work{} : found->work_of(grid, arguments);
}

}  // namespace fake_cuda
