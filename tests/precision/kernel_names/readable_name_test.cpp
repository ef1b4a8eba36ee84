// SPDX-License-Identifier: Apache-2.0
#include "precision/kernel_names/readable_name.h"

#include <gtest/gtest.h>

namespace ampprof::kernel_names {
namespace readable_name_test {

TEST(ReadableName, LeavesOutTheParameters) {
  EXPECT_EQ(
      readable_name("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIN3c104HalfEEESt5arrayIP"
                    "cLm3EEEEviT0_T1_"),
      "at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul> >");
}

TEST(ReadableName, OfATableLeavesOutNamespacesAndKeepsWhatTellsApart) {
  EXPECT_EQ(
      short_name_of_kernel("_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_15CUDAFunctor_addIN3c104HalfEEESt5ar"
                           "rayIPcLm3EEEEviT0_T1_"),
      "vectorized_elementwise_kernel<4, CUDAFunctor_add<Half>, array<char*, 3ul>>");
  EXPECT_EQ(
      short_name_of_kernel("_ZN7cutlass7Kernel2I52cutlass_80_tensorop_s1688gemm_128x128_16x3_tn_align4EEvNT_6ParamsE"),
      "cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128_16x3_tn_align4>");
}

TEST(ReadableName, OfALambdaNamesTheFunctionItIsIn) {
  const std::string name = short_name_of_kernel(
      "_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_15gpu_kernel_implIZZZNS0_26round_decimals_kernel_cudaERNS_"
      "18TensorIteratorBaseElENKUlvE_clEvENKUlvE0_clEvEUlfE_EEvS4_RKT_EUliE_EEviT1_");
  EXPECT_EQ(name,
            "elementwise_kernel<128, 4, gpu_kernel_impl<round_decimals_kernel_cuda{lambda(float)}>{lambda(int)}>");
}

TEST(ReadableName, OfALambdaNamesAFunctionInAnUnnamedNamespace) {
  EXPECT_EQ(short_name_of_kernel("_Z1gIZN12_GLOBAL__N_11fEiEUliE_Evv"), "g<f{lambda(int)}>");
  EXPECT_EQ(short_name_of_kernel("_Z1gIZN1a12_GLOBAL__N_11fIiEEviEUliE_Evv"), "g<f<int>{lambda(int)}>");
}

TEST(ReadableName, OfWhatIsNotMangledIsItself) {
  for (const std::string_view name : {"", "_Z", "_Zfoo", "volta_h884gemm_128x64_nn", "_ZN2at6native29vect", "a<b(c"}) {
    EXPECT_EQ(readable_name(name), name);
    EXPECT_EQ(short_name_of_kernel(name), name);
  }
}

// Found by fuzz.kernel_name: the search for the function around a lambda did not end when it reached the lambda itself.
TEST(ReadableName, OfALambdaWithoutAFunctionEnds) {
  const std::string name = short_name_of_kernel(
      "_ZN2at6native18elementwise_kernelILi128ELi4EZNS0_15gpu_kernel_implIZZZNS0_26round_decimals_kernel_cudaERNS_"
      "18T>nsorIteratorBaseElENKUlvE_clEvENKUlvE0_clEvEUlfsE_EEvS4_RKT_EUliE_EEviT1_");
  EXPECT_EQ(name, "elementwise_kernel<128, 4, {lambda{lambda(float, short)}>");
}

// Each type contains the previous one twice. Written out, the last type would fill all memory.
TEST(ReadableName, OfReferencesToReferencesStaysSmall) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string name = "_Z1fI1aIccE";
  for (const char digit : kDigits) {
    const std::string last = std::string("S") + digit + "_";
    name += "S_I" + last + last + "E";
  }
  name += "Evv";
  EXPECT_LE(readable_name(name).size(), kLongestReadableName);
  EXPECT_LE(short_name_of_kernel(name).size(), kLongestReadableName);
}

std::string times(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(ReadableName, OfMoreThan32ReferencesNamesThemByALine) {
  EXPECT_EQ(readable_name("_Z1fI1a" + times(32, "S0_") + "Evv"), "f<a" + times(32, ", a") + ">");
  EXPECT_EQ(readable_name("_Z1fI1a" + times(33, "S0_") + "Evv"), "f<a" + times(33, ", _") + ">");
  EXPECT_EQ(readable_name("_Z1fI1a" + times(32, "S_") + "Evv"), "f<a" + times(32, ", f") + ">");
}

TEST(ReadableName, OfManyReferencesKeepsIdentifiersAndNumbers) {
  EXPECT_EQ(readable_name("_Z1fI4xS0_12abcdefghS0_zLi4ES0_Lb1ELin7E" + times(33, "S0_") + "Evv"),
            "f<xS0_, abcdefghS0_z, 4, _, true, -7" + times(33, ", _") + ">");
}

TEST(ReadableName, OfIdentifiersThatLookLikeReferencesIsLeftAsItIs) {
  const std::string name = "_Z1fI" + times(33, "3aS_") + "Evv";
  EXPECT_EQ(readable_name(name), name);
  EXPECT_EQ(readable_name("_Z1fI" + times(32, "3aS_") + "Evv"), "f<aS_" + times(31, ", aS_") + ">");
}

TEST(ReadableName, IsCutToItsLongest) {
  EXPECT_EQ(readable_name(times(4096, "a")), times(4096, "a"));
  EXPECT_EQ(readable_name(times(4097, "a")), times(4093, "a") + "…");
  EXPECT_EQ(readable_name(times(4097, "\x80")), "…") << "no character begins there";
}

TEST(ReadableName, LeavesOutTheResultAndWhatStandsBehindTheName) {
  EXPECT_EQ(readable_name("_Z1fIiEvi"), "f<int>");
  EXPECT_EQ(readable_name("_Z1fi"), "f");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_11fEi"), "(anonymous namespace)::f");
  EXPECT_EQ(readable_name("_ZN1a1b"), "_ZN1a1b") << "not a whole name";
}

TEST(ReadableName, OfATableCollapsesDeepTemplates) {
  EXPECT_EQ(short_name_of_kernel("_Z1fI1aI1bI1cIiEEEEvv"), "f<a<b<…>>>");
  EXPECT_EQ(short_name_of_kernel("_Z1fI1aIiiE1bEvv"), "f<a<int, int>, b>");
  EXPECT_EQ(short_name_of_kernel("_Z1fIJEEvv"), "f<>");
  EXPECT_EQ(short_name_of_kernel("_ZN1x1y6kernelIiEEvv"), "y::kernel<int>");
  EXPECT_EQ(short_name_of_kernel("_ZN1x1y6ternelIiEEvv"), "ternel<int>");
  EXPECT_EQ(short_name_of_kernel("_Z6kernelIiEvv"), "kernel<int>");
  EXPECT_EQ(short_name_of_kernel("_Z1fIFviiE1bEvv"), "f<void (int, int), b>");
}

TEST(ReadableName, IsCutWhereItIsLongAndNotWithinACharacter) {
  std::string name;
  for (int i = 0; i < 4000; ++i) name += "ä";
  const std::string text = readable_name(name);
  EXPECT_LE(text.size(), kLongestReadableName);
  EXPECT_TRUE(text.ends_with("ä…"));
}

}  // namespace readable_name_test
}  // namespace ampprof::kernel_names
