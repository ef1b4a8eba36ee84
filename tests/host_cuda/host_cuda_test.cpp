// SPDX-License-Identifier: Apache-2.0
#include "tests/host_cuda/host_cuda.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/host_cuda/device_code.h"

namespace ampprof::host_cuda {
namespace host_cuda_test {

/// Returns the error of a kernel in one block with this many threads, or "" if there is none.
std::string failure_of(unsigned threads, const std::function<void()>& kernel) {
  try {
    run(kernel, 1, threads);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

unsigned& shared_word() {
  __shared__ unsigned word;
  return word;
}

TEST(HostCuda, CallsEachThreadOnce) {
  std::vector<int> calls(2 * 3 * 8 * 5);
  run([&] { ++calls[((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x]; },
      dim3(2, 3), dim3(8, 5));
  EXPECT_EQ(calls, std::vector<int>(calls.size(), 1));
}

TEST(HostCuda, LanesMeetInCollectives) {
  std::vector<unsigned> sums(2);
  std::vector<unsigned> equals(64);
  run(
      [&] {
        unsigned sum = threadIdx.x;
        for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) sum += __shfl_down_sync(~0U, sum, distance);
        if (threadIdx.x % kWarp == 0) sums[threadIdx.x / kWarp] = sum;
        equals[threadIdx.x] = __match_any_sync(~0U, threadIdx.x % 4);
        equals[threadIdx.x] += __shfl_sync(~0U, threadIdx.x, 7);
      },
      1, 64);
  EXPECT_EQ(sums, (std::vector<unsigned>{31 * 32 / 2, 31 * 32 / 2 + 32 * 32}));
  EXPECT_EQ(equals[1], 0x22222222U + 7);
  EXPECT_EQ(equals[32], 0x11111111U + 39);
}

TEST(HostCuda, PartsOfAWarpMeetByTheirMasks) {
  std::vector<unsigned> taken(32);
  run(
      [&] {
        const unsigned half = threadIdx.x < 16 ? 0x0000ffffU : 0xffff0000U;
        if (threadIdx.x < 16) __syncwarp(half);
        taken[threadIdx.x] = __match_any_sync(half, 1);
        if (threadIdx.x == 5) taken[5] = __activemask();
      },
      1, 32);
  EXPECT_EQ(taken[0], 0x0000ffffU);
  EXPECT_EQ(taken[31], 0xffff0000U);
  EXPECT_EQ(taken[5], 1U << 5);
}

TEST(HostCuda, BarriersOrderTheThreads) {
  std::vector<unsigned> seen(256);
  run(
      [&] {
        if (threadIdx.x == 0) shared_word() = 0;
        __syncthreads();
        atomicAdd(&shared_word(), 1U);
        __syncthreads();
        seen[threadIdx.x] = shared_word();
      },
      1, 256);
  EXPECT_EQ(seen, std::vector<unsigned>(256, 256));
}

TEST(HostCuda, ThreadsOfOneOrderMissABarrierThatIsNotThere) {
  std::vector<unsigned> seen(2);
  run(
      [&] {
        if (threadIdx.x == 0) shared_word() = 7;
        __syncwarp();
        if (threadIdx.x == 40) seen[blockIdx.x] = shared_word();
      },
      2, 64);
  EXPECT_EQ(seen, (std::vector<unsigned>{0xA5A5A5A5U, 7}));
}

TEST(HostCuda, SharedMemoryIsNotZeroInAnyBlock) {
  std::vector<unsigned> before(3);
  run(
      [&] {
        before[blockIdx.x] = shared_word();
        shared_word() = 0;
      },
      3, 1);
  EXPECT_EQ(before, std::vector<unsigned>(3, 0xA5A5A5A5U));
}

TEST(HostCuda, SaysWhoWouldWaitForEver) {
  EXPECT_EQ(failure_of(32, [] { threadIdx.x < 4 ? __syncwarp() : __syncthreads(); }),
            "a GPU would wait for ever: thread 0 at __syncwarp, from thread 4 at __syncthreads");
  EXPECT_NE(failure_of(32, [] { __shfl_sync(threadIdx.x == 9 ? 0x200U : ~0U, 1, 0); }), "") << "masks that differ";
}

TEST(HostCuda, RefusesCollectivesThatAreUndefined) {
  const auto exited = [] {
    if (threadIdx.x != 3) __syncwarp();
  };
  EXPECT_NE(failure_of(32, exited).find("names a lane that has exited"), std::string::npos);
  EXPECT_NE(failure_of(16, [] { __syncwarp(); }).find("names a lane that has exited"), std::string::npos);
  EXPECT_NE(failure_of(32, [] { __syncwarp(1); }).find("not in its own mask"), std::string::npos);
  const auto strange = [] {
    if (threadIdx.x < 2) __shfl_sync(3, 1, 5);
  };
  EXPECT_NE(failure_of(32, strange).find("does not name"), std::string::npos);
  EXPECT_NE(failure_of(1025, [] {}), "");
}

TEST(HostCuda, PassesOnWhatAKernelThrows) {
  EXPECT_EQ(failure_of(64,
                       [] {
                         if (threadIdx.x == 40) throw std::logic_error("mine");
                       }),
            "mine");
}

TEST(HostCuda, BindsTheArgumentsOfALaunchByAddress) {
  unsigned sum = 0;
  unsigned* to = &sum;
  unsigned char step = 3;
  void* arguments[] = {&to, &step};
  void (*const kernel)(unsigned*, unsigned char) = [](unsigned* to, unsigned char step) { atomicAdd(to, 0U + step); };
  const auto call = bound(kernel, arguments);
  step = 0;
  run(call, 2, 5);
  EXPECT_EQ(sum, 30U);
}

TEST(HostCuda, ChangesTheArgumentsThatItBinds) {
  unsigned sum = 0;
  unsigned elsewhere = 0;
  unsigned* to = &elsewhere;
  unsigned step = 3;
  void* arguments[] = {&to, &step};
  void (*const kernel)(unsigned*, unsigned) = [](unsigned* to, unsigned step) { atomicAdd(to, step); };
  const auto change = [&](auto& each) {
    if constexpr (std::is_pointer_v<std::decay_t<decltype(each)>>) each = &sum;
  };
  run(bound(kernel, arguments, change), 2, 5);
  EXPECT_EQ(sum, 30U);
  EXPECT_EQ(elsewhere, 0U);
}

}  // namespace host_cuda_test
}  // namespace ampprof::host_cuda
