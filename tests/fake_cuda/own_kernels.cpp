// SPDX-License-Identifier: Apache-2.0
#include "tests/fake_cuda/own_kernels.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <typeinfo>

#include "tests/fake_cuda/arena.h"
#include "tests/host_cuda/device_code.h"
// Must follow device_code.h, which defines the CUDA language.
#include "precision/error/kernels_cuda.cu"
#include "precision/formats/quantize/kernels_cuda.cu"
#include "precision/sketch/kernels_cuda.cu"
#include "precision/update/kernels_cuda.cu"

namespace fake_cuda {
namespace {

namespace error = ampprof::error::cuda;
namespace quantize = ampprof::quantize::cuda;
namespace sketch = ampprof::sketch::cuda;
namespace update = ampprof::update::cuda;

using MakeWork = work::Work (*)(dim3 grid, dim3 block, void** arguments);

// move_to_host() replaces device addresses in a kernel's argument by host addresses. An argument type without an
// overload does not compile. The values cannot be searched for addresses, because padding may look like one.

template <typename T>
void move_to_host(T*& address) {
  address = arena::on_host(address);
}

template <typename T>
requires std::is_arithmetic_v<T> || std::is_empty_v<T>
void move_to_host(T&) {}

void move_to_host(ampprof::error::Spacing&) {}

template <typename Y, typename R>
void move_to_host(error::Compared<Y, R>& compared) {
  move_to_host(compared.output);
  move_to_host(compared.reference);
}

void move_to_host(sketch::Words& words) { move_to_host(words.bytes); }

void move_to_host(quantize::Task& task) { move_to_host(task.to); }

/// Replaces the addresses in a SketchLane.
template <typename Output>
requires requires(Output output) { output.words; }
void move_to_host(Output& output) {
  move_to_host(output.values);
  move_to_host(output.words);
  move_to_host(output.into);
}

template <auto kernel>
work::Work work_of(dim3 grid, dim3 block, void** arguments) {
  return [=, call = ampprof::host_cuda::bound(kernel, arguments, [](auto& each) { move_to_host(each); })] {
    ampprof::host_cuda::run(call, grid, block);
  };
}

std::string demangled(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : mangled;
}

template <typename T>
std::string name_of() {
  return demangled(typeid(T).name());
}

using Kernels = std::map<std::string, MakeWork>;  ///< keyed by the kernel's name without result and parameters

template <typename Y, typename R, typename Beside>
void add_measure(Kernels& all) {
  all["ampprof::error::cuda::measure<" + name_of<Y>() + ", " + name_of<R>() + ", " + name_of<Beside>() + ">"] =
      work_of<error::measure<Y, R, Beside>>;
}

template <typename Y, typename Beside>
void add_measures(Kernels& all) {
  add_measure<Y, error::NoReference, Beside>(all);
  add_measure<Y, float, Beside>(all);
  add_measure<Y, double, Beside>(all);
}

template <typename Y>
void add_kernels_of(Kernels& all) {
  using Sketched = typename sketch::SketchLane<Y>::Output;
  add_measures<Y, error::Alone>(all);
  add_measures<Y, Sketched>(all);
  all["ampprof::sketch::cuda::add_values<" + name_of<Sketched>() + ">"] = work_of<sketch::add_values<Sketched>>;
  all["ampprof::update::cuda::add_change<" + name_of<Y>() + ">"] = work_of<update::add_change<Y>>;
}

template <typename T>
void add_quantizers_of(Kernels& all) {
  const std::string of_type = "<" + name_of<T>() + ">";
  all["ampprof::quantize::cuda::quantize_blocks" + of_type] = work_of<quantize::quantize_blocks<T>>;
  all["ampprof::quantize::cuda::raise_amax" + of_type] = work_of<quantize::raise_amax<T>>;
}

Kernels all_kernels() {
  Kernels all{{"ampprof::sketch::cuda::add_checksum", work_of<sketch::add_checksum>}};
  add_kernels_of<__half>(all);
  add_kernels_of<__nv_bfloat16>(all);
  add_kernels_of<__nv_fp8_e4m3>(all);
  add_kernels_of<__nv_fp8_e5m2>(all);
  add_kernels_of<float>(all);
  add_kernels_of<double>(all);
  add_quantizers_of<float>(all);
  add_quantizers_of<__nv_bfloat16>(all);
  return all;
}

/// Removes the return type, with which the demangled name of a template's instance begins, and the parameters.
std::string without_result_and_parameters(const std::string& name) {
  constexpr std::string_view kResult = "void ";
  const std::size_t begin = name.starts_with(kResult) ? kResult.size() : 0;
  return name.substr(begin, name.find('(') - begin);
}

}  // namespace

bool is_own_kernel(const std::string& mangled) { return mangled.starts_with("_ZN7ampprof"); }

work::Work own_twin_of(const std::string& mangled, dim3 grid, dim3 block, void** arguments) {
  static const Kernels& all = *new Kernels(all_kernels());
  const std::string name = without_result_and_parameters(demangled(mangled.c_str()));
  const auto found = all.find(name);
  if (found != all.end()) return found->second(grid, block, arguments);
  std::fprintf(stderr, "fake CUDA: the source of ampprof's kernel %s is not known here\n", name.c_str());
  std::abort();
}

}  // namespace fake_cuda
