// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/buffer_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace ampprof::profiler {
namespace buffer_pool_test {

TEST(BufferPool, LendsSoManyAndNoMore) {
  BufferPool pool(100, 2);
  std::uint8_t* one = pool.lend();
  std::uint8_t* other = pool.lend();
  ASSERT_NE(one, nullptr);
  ASSERT_NE(other, nullptr);
  EXPECT_NE(one, other);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one) % 8, 0U);
  std::memset(one, 1, pool.bytes());
  EXPECT_EQ(pool.lend(), nullptr);
}

TEST(BufferPool, UsesABufferAgainOnceItWasGivenBack) {
  BufferPool pool(100, 1);
  std::uint8_t* buffer = pool.lend();
  pool.filled(buffer, 70);
  EXPECT_EQ(pool.lend(), nullptr);
  const auto filled = pool.take_filled();
  ASSERT_EQ(filled.size(), 1U);
  EXPECT_EQ(filled[0].buffer, buffer);
  EXPECT_EQ(filled[0].bytes, 70U);
  EXPECT_TRUE(pool.take_filled().empty());
  EXPECT_EQ(pool.lend(), nullptr);
  pool.give_back(filled[0]);
  EXPECT_EQ(pool.lend(), buffer);
}

TEST(BufferPool, BelievesNoMoreBytesThanABufferHas) {
  BufferPool pool(100, 1);
  pool.filled(pool.lend(), 1000);
  EXPECT_EQ(pool.take_filled().at(0).bytes, 100U);
}

TEST(BufferPool, IgnoresABufferThatIsNotItsOwn) {
  BufferPool pool(100, 1);
  std::uint8_t other[8];
  pool.filled(other, 8);
  EXPECT_TRUE(pool.take_filled().empty());
}

TEST(BufferPool, AfterItsEndTakesBackWhatItLent) {
  BufferPool pool(100, 2);
  std::uint8_t* lent = pool.lend();
  pool.give_back({pool.lend(), 0});
  pool.close();
  EXPECT_EQ(pool.lend(), nullptr);
  pool.filled(lent, 10);
  pool.give_back(pool.take_filled().at(0));
  pool.filled(lent, 10);
  EXPECT_TRUE(pool.take_filled().empty());
}

}  // namespace buffer_pool_test
}  // namespace ampprof::profiler
