// SPDX-License-Identifier: Apache-2.0
#include "precision/tensors/known_checksums.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "precision/tensors/sketch_of.h"

namespace ampprof::tensors {
namespace known_checksums_test {

/// Writes memory without a change of the tensor's version counter.
void write_secretly(const at::Tensor& tensor) { tensor.data_ptr<float>()[0] += 1; }

TEST(KnownChecksums, AreThoseOfTheBits) {
  KnownChecksums known;
  const at::Tensor x = at::randn({64, 64});
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
  EXPECT_EQ(known.of(at::ones({3})).value(), checksum_of(at::ones({3})));
}

TEST(KnownChecksums, ReadATensorOnce) {
  KnownChecksums known;
  const at::Tensor x = at::randn({64, 64});
  const std::uint64_t first = known.of(x).value();
  write_secretly(x);
  EXPECT_EQ(known.of(x).value(), first);
  EXPECT_NE(checksum_of(x), first);
  known.put(x, Checksum(7));
  known.forget(x.narrow(0, 3, 1));  // forgets every tensor in this memory
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
  write_secretly(x);
  known.clear();
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
}

TEST(KnownChecksums, OfSmallTensorsAreReadEachTime) {
  KnownChecksums known;
  const at::Tensor x = at::randn({8});
  known.of(x);
  write_secretly(x);
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
}

TEST(KnownChecksums, NoticeAWrite) {
  KnownChecksums known;
  const at::Tensor x = at::randn({64, 64});
  const std::uint64_t before = known.of(x).value();
  x.narrow(0, 0, 1).add_(1);
  EXPECT_NE(known.of(x).value(), before);
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
}

TEST(KnownChecksums, TellTensorsInOneMemoryApart) {
  KnownChecksums known;
  const at::Tensor x = at::randn({96, 96});
  for (const at::Tensor& view : {x, x.t(), x.narrow(0, 0, 48), x.narrow(0, 48, 48), x.view(at::kInt)}) {
    EXPECT_EQ(known.of(view).value(), checksum_of(view));
    EXPECT_EQ(known.of(view).value(), checksum_of(view));
  }
}

TEST(KnownChecksums, DoNotOutliveTheirMemory) {
  KnownChecksums known;
  for (int i = 0; i < 50; ++i) {
    const at::Tensor x = at::full({64, 64}, i);  // usually reuses the memory of the previous tensor
    EXPECT_EQ(known.of(x).value(), checksum_of(x)) << i;
  }
}

TEST(KnownChecksums, OfTheOnlyOutputIsThatOfItsSketch) {
  for (const at::Tensor& output : {at::randn({40, 70}), at::randn({90, 33}).t(), at::randn({64, 64}).to(at::kHalf)}) {
    EXPECT_EQ(static_cast<std::uint64_t>(sketch_of(output, 0).checksum), checksum_of(output));
  }
}

TEST(KnownChecksums, RememberWhereOneWillBe) {
  KnownChecksums known;
  DeferredReductions results;
  const at::Tensor x = at::randn({64, 64});
  const Checksum first = known.of(x, &results);
  const Checksum second = known.of(x, &results);
  EXPECT_FALSE(second.is_here());
  EXPECT_EQ(second.value(), 0u) << "it has not come yet";
  results.complete();
  EXPECT_EQ(first.value(), checksum_of(x));
  EXPECT_EQ(second.value(), first.value());
}

TEST(KnownChecksums, LeaveInferenceTensorsAlone) {
  const c10::InferenceMode guard;
  KnownChecksums known;
  const at::Tensor x = at::randn({64, 64});
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
  write_secretly(x);
  EXPECT_EQ(known.of(x).value(), checksum_of(x));
}

}  // namespace known_checksums_test
}  // namespace ampprof::tensors
