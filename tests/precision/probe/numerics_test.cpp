// SPDX-License-Identifier: Apache-2.0
#include "precision/probe/numerics.h"

#include <gtest/gtest.h>

#include <ostream>

namespace ampprof::probe {
namespace numerics_test {

using namespace numerics;

struct Flags {
  const char* name;
  std::uint64_t flags;
  kernel_names::Executed executed;
  const char* evidence;
};

void PrintTo(const Flags& flags, std::ostream* out) { *out << flags.name; }

class NumericsOf : public testing::TestWithParam<Flags> {};

TEST_P(NumericsOf, SayWhatRunsAndWhereSumsAreKept) {
  GemmAlgorithm algorithm;
  algorithm.numerics = static_cast<std::int64_t>(GetParam().flags);
  algorithm.tile = "128x256";
  EXPECT_EQ(executed_by(algorithm), GetParam().executed);
  EXPECT_EQ(evidence_of(algorithm), std::string("cublasLt: ") + GetParam().evidence + ", tile 128x256");
}

TEST(NumericsOf, AnAlgorithmWithoutATileSayNone) {
  EXPECT_EQ(evidence_of({.numerics = static_cast<std::int64_t>(kHmma)}), "cublasLt: HMMA");
  EXPECT_EQ(accumulator_of({}), "");
}

INSTANTIATE_TEST_SUITE_P(
    Algorithm, NumericsOf,
    testing::Values(Flags{"half", kHmma | kSums32 | kInputs16, kernel_names::Executed::Used, "HMMA, sums in fp32"},
                    Flags{"half_sums", kHmma | kSums16 | kInputs16, kernel_names::Executed::Used, "HMMA, sums in fp16"},
                    Flags{"tf32", kHmma | kSums32 | kInputsTf32, kernel_names::Executed::Used, "HMMA, sums in fp32"},
                    Flags{"fp64", kDmma | kSums64 | kInputs64, kernel_names::Executed::Used, "DMMA, sums in fp64"},
                    Flags{"int8", kImma | kSumsInt | kInputs8, kernel_names::Executed::Used, "IMMA, sums in int32"},
                    Flags{"later", 0x10 | kSums32 | kInputs16, kernel_names::Executed::Used,
                          "unknown instructions, sums in fp32"},
                    Flags{"fp32", kFma | kSums32 | kInputs32, kernel_names::Executed::NotUsed, "FMA, sums in fp32"},
                    Flags{"half_without", kFma | kSums32 | kInputs16, kernel_names::Executed::Fp16NotTensorCore,
                          "FMA, sums in fp32"},
                    Flags{"bf16_without", kFma | kSums32 | kInputsBf16, kernel_names::Executed::Fp16NotTensorCore,
                          "FMA, sums in fp32"},
                    Flags{"int8_without", kFma | kSumsInt | kInputs8, kernel_names::Executed::Fp16NotTensorCore,
                          "FMA, sums in int32"},
                    Flags{"none", 0, kernel_names::Executed::Unknown, "unknown instructions"}),
    [](const auto& info) { return info.param.name; });

}  // namespace numerics_test
}  // namespace ampprof::probe
