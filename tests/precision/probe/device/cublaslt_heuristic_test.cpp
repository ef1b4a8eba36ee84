// SPDX-License-Identifier: Apache-2.0
// Tests queries to cublasLt's heuristic and the use of its results, with a fake cublasLt.
#include "precision/probe/device/cublaslt_heuristic.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ostream>

#include "precision/probe/numerics.h"
#include "tests/temporary_folder.h"

namespace ampprof::probe {
namespace cublaslt_heuristic_test {

Case gemm(const char* op, const char* signature, Arithmetic arithmetic = {DType::Half}) {
  return {*workload_of({op, signature, arithmetic.dtype}), arithmetic};
}

/// Makes ampprof load the fake cublasLt during each test.
struct StandIn : testing::Test {
  StandIn() {
    setenv("AMPPROF_CUBLASLT", FAKE_CUBLASLT_LIBRARY, 1);
    setenv("FAKE_CUBLASLT", (folder_ / "asked").c_str(), 1);
  }
  ~StandIn() override {
    for (const char* name : {"AMPPROF_CUBLASLT", "FAKE_CUBLASLT", "FAKE_CUBLASLT_REFUSES"}) unsetenv(name);
  }

  std::string asked(const Case& what) const {
    std::filesystem::remove(folder_ / "asked");
    EXPECT_TRUE(std::holds_alternative<GemmAlgorithm>(open_cublaslt_heuristic(9).heuristic->algorithm_for(what)));
    return test_support::bytes_of(folder_ / "asked");
  }

  test_support::TemporaryFolder folder_;
};

struct CublasLtHeuristicOnStandIn : StandIn {};

TEST_F(CublasLtHeuristicOnStandIn, ReadsWhatTheAlgorithmIs) {
  const auto opened = open_cublaslt_heuristic(9);
  ASSERT_TRUE(opened.heuristic) << opened.why;
  EXPECT_EQ(opened.heuristic->version(), 130100);
  const auto answer = opened.heuristic->algorithm_for(gemm("mm", "f16[64,32] f16[32,128]"));
  const auto& algorithm = std::get<GemmAlgorithm>(answer);
  EXPECT_EQ(evidence_of(algorithm), "cublasLt: HMMA, sums in fp32, tile 128x256");
  EXPECT_EQ(algorithm.id, 66);
  EXPECT_EQ(algorithm.stages, 34);
  EXPECT_EQ(algorithm.split_k, 2);
  EXPECT_EQ(algorithm.waves, 0.75);
  EXPECT_EQ(algorithm.workspace_bytes, 32 << 20) << "what LibTorch gives on Hopper";
  EXPECT_EQ(algorithm.alignment_bytes, (std::array<std::int64_t, 4>{8, 16, 4, 2})) << "cublasLt's A is our operand B";
}

TEST_F(CublasLtHeuristicOnStandIn, DescribesTheMatmulInColumns) {
  EXPECT_EQ(asked(gemm("mm", "f16[64,32] f16[32,128]")),
            "nn a=128x32/128 b=32x64/32 c=128x64/128 batch=1 strides=0,0,0 align=256,256 bias=0\n");
  EXPECT_EQ(asked(gemm("linear", "f16[64,32] f16[128,32] f16[128]")),
            "tn a=32x128/32 b=32x64/32 c=128x64/128 batch=1 strides=0,0,0 align=256,256 bias=1\n");
  EXPECT_EQ(asked(gemm("mm", "f16[64,32]{1,64} f16[32,128]")),
            "nt a=128x32/128 b=64x32/64 c=128x64/128 batch=1 strides=0,0,0 align=256,256 bias=0\n");
  EXPECT_EQ(asked(gemm("mm", "f16[64,32]{40,1}@2 f16[32,128]{160,1}@8")),
            "nn a=128x32/160 b=32x64/40 c=128x64/128 batch=1 strides=0,0,0 align=8,2 bias=0\n");
  EXPECT_EQ(asked(gemm("bmm", "f16[5,64,32] f16[5,32,128]")),
            "nn a=128x32/128 b=32x64/32 c=128x64/128 batch=5 strides=4096,2048,8192 align=256,256 bias=0\n");
}

TEST_F(CublasLtHeuristicOnStandIn, TellsTypesApart) {
  const auto opened = open_cublaslt_heuristic(8);
  const auto unit = [&](Arithmetic arithmetic) {
    const auto answer = opened.heuristic->algorithm_for(gemm("mm", "f32[64,32] f32[32,128]", arithmetic));
    return std::string(instruction_of(std::get<GemmAlgorithm>(answer)));
  };
  EXPECT_EQ(unit({DType::BFloat16}), "HMMA");
  EXPECT_EQ(unit({DType::Float, true}), "HMMA");
  EXPECT_EQ(unit({DType::Float, false}), "FMA");
}

TEST_F(CublasLtHeuristicOnStandIn, SaysWhereThereIsNoAlgorithm) {
  const auto answer = open_cublaslt_heuristic(9).heuristic->algorithm_for(gemm("mm", "f16[64,13] f16[13,128]"));
  EXPECT_EQ(std::get<Failure>(answer), (Failure{false, "cublasLt has no algorithm for this GEMM"}));
}

TEST_F(CublasLtHeuristicOnStandIn, SaysThatItCannotStart) {
  setenv("FAKE_CUBLASLT_REFUSES", "1", 1);
  const auto opened = open_cublaslt_heuristic(9);
  EXPECT_FALSE(opened.heuristic);
  EXPECT_EQ(opened.why, "cublasLt cannot start: as the stand-in was told (1)");
}

TEST_F(CublasLtHeuristicOnStandIn, SaysThatItIsNotThere) {
  setenv("AMPPROF_CUBLASLT", "/nowhere/libcublasLt.so", 1);
  EXPECT_TRUE(open_cublaslt_heuristic(9).why.starts_with("cublasLt could not be loaded: /nowhere/"))
      << open_cublaslt_heuristic(9).why;
}

}  // namespace cublaslt_heuristic_test
}  // namespace ampprof::probe
