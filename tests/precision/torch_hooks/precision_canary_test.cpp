// SPDX-License-Identifier: Apache-2.0
// Canaries for LibTorch internals that precision/torch_hooks relies on. A failure names the broken assumption.
#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/types.h>

#include "precision/torch_hooks/generator_state.h"
#include "precision/torch_hooks/stream_handle.h"
#include "precision/torch_hooks/tensor_memory.h"

namespace ampprof::torch_hooks {
namespace precision_canary_test {

TEST(TorchHooksOfPrecision, AGeneratorThatIsPutBackDrawsTheSameAgain) {
  at::Generator generator = at::make_generator<at::CPUGeneratorImpl>(7);
  // Draws an odd number of normal samples, so that the generator caches one sample.
  const auto drawn = [&] { return torch::randn({3}, generator); };
  drawn();
  const GeneratorState place(generator);
  EXPECT_FALSE(place.moved());
  const at::Tensor first = drawn();
  EXPECT_TRUE(place.moved()) << "generator_state: ops that draw would be taken for ones that do not";
  place.restore();
  EXPECT_FALSE(place.moved());
  EXPECT_TRUE(at::equal(first, drawn())) << "generator_state: LibTorch keeps more of a generator than what is put back";
}

TEST(TorchHooksOfPrecision, ATensorKnownByItsAddressIsNotKeptAlive) {
  at::Tensor tensor = torch::ones({2});
  const auto before = tensor.use_count();
  const c10::weak_intrusive_ptr<c10::TensorImpl> weak(another_owner_of(tensor.unsafeGetTensorImpl()));
  EXPECT_EQ(tensor.use_count(), before) << "tensor_memory: an owner made from an address takes another's share";
  EXPECT_FALSE(weak.expired());
  tensor.reset();
  EXPECT_TRUE(weak.expired()) << "tensor_memory: tensors of the program would be kept alive";
}

TEST(TorchHooksOfPrecision, AWriteInPlaceMakesTheVersionOneMore) {
  const at::Tensor tensor = torch::ones({2});
  const at::Tensor view = tensor.narrow(0, 0, 1);
  const auto before = version_of(tensor);
  view.add_(1);
  EXPECT_EQ(version_of(tensor), before + 1) << "tensor_memory: numbers that are out of date would be taken for current";
  tensor.detach().add_(1);
  EXPECT_EQ(version_of(tensor), before + 2) << "tensor_memory: a write through detach() is not seen";
}

TEST(TorchHooksOfPrecision, TheDefaultStreamOfADeviceIsCudasNull) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no GPU";
  const c10::Stream stream(c10::Stream::DEFAULT, c10::Device(c10::kCUDA, 0));
  EXPECT_EQ(handle_of(stream), nullptr) << "stream_handle: kernels would run on another stream";
}

}  // namespace precision_canary_test
}  // namespace ampprof::torch_hooks
