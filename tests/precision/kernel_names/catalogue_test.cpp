// SPDX-License-Identifier: Apache-2.0
// Classifies every kernel name in the installed cuBLAS, cublasLt and cuDNN, as listed by scripts/kernel-names. The
// truth is the vendor's naming scheme, implemented here without the library's rules.
#include <gtest/gtest.h>
#include <re2/re2.h>
#include <stdio.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "precision/kernel_names/classify.h"

namespace ampprof::kernel_names {
namespace catalogue_test {

struct Listing {
  std::vector<std::string> names;
  int exit_code = 0;
};

Listing list_names(const std::string& arguments) {
  FILE* pipe = popen((std::string(KERNEL_NAMES) + arguments + " 2>/dev/null").c_str(), "r");
  Listing listing;
  std::string text;
  std::array<char, 1 << 16> block;
  while (const std::size_t size = fread(block.data(), 1, block.size(), pipe)) text.append(block.data(), size);
  listing.exit_code = WEXITSTATUS(pclose(pipe));
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    listing.names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return listing;
}

enum class Truth { Yes, No, Silent };

/// Reads the vendor's tokens. Kernels that reorder, reduce or normalize have the name of the matmul that they serve.
Truth vendor_says(const std::string& name) {
  static const RE2 kBesideMatmul(
      "split_k_kernel|splitKreduce|segment_k_reduction|(stats|dbn_apply)_kernelI|cuda_reorder_|^_ZN17cublasLt_imma_emu|"
      "imma_emu.*get_minmax");
  static const RE2 kScalar(
      "_ffma_|_simt_|_depthwise_|gemv|gemmk1|(^|_)g?[sdhzc]gemm_|(^|_)[shi]cudnn_|implicit_convolve(Nd)?_[sd]gemm");
  static const RE2 kTensor(
      "_tensor(\\d+x\\d+x\\d+|1688)|_warpgroupsize\\d|tensorop_|"
      "(^|_)[a-z]{0,2}(884|1688|16816|16832|8816|8832|161616)[a-z0-9]{0,5}(gemm|cudnn)|_hmma_|_imma_|hgmma|igmma|_"
      "dmma_");
  if (RE2::PartialMatch(name, kBesideMatmul)) return Truth::No;
  // "cublasLt_fused_imma_dgemm" is an FP64 matmul composed of integer matmuls.
  if (RE2::PartialMatch(name, kScalar) && name.find("_imma_") == std::string::npos) return Truth::No;
  return RE2::PartialMatch(name, kTensor) ? Truth::Yes : Truth::Silent;
}

/// Applies the substrings that PyProf and TensorBoard's PyTorch plugin look for.
bool substring_list_says(const std::string& name) {
  constexpr std::array kParts{"h884",
                              "s884",
                              "h1688",
                              "s1688",
                              "hmma",
                              "i8816",
                              "16816",
                              "c1_k1",
                              "dgrad_1x1_stride_2x2",
                              "conv1x1",
                              "conv2d_c1_k1",
                              "first_layer_wgrad_kernel",
                              "direct_group",
                              "xmma_gemm",
                              "xmma_implicit_gemm",
                              "xmma_sparse_conv",
                              "xmma_sparse_gemm",
                              "xmma_warp_specialized_implicit_gemm"};
  return std::ranges::any_of(kParts, [&](const char* part) { return name.find(part) != std::string::npos; });
}

struct Score {
  int wrongly_used = 0;
  int wrongly_not = 0;
  int unknown = 0;
  std::vector<std::string> examples = {};

  int wrong() const { return wrongly_used + wrongly_not; }
};

void count(Score& score, Truth truth, bool used, bool unknown, const std::string& name) {
  if (unknown) {
    ++score.unknown;
  } else if (used != (truth == Truth::Yes)) {
    ++(used ? score.wrongly_used : score.wrongly_not);
    if (score.examples.size() < 10) score.examples.push_back(name);
  }
}

TEST(Catalogue, OfTheVendorsKernelsIsReadWithoutAWrongClaim) {
  const Listing listing = list_names("");
  if (listing.exit_code == 3) GTEST_SKIP() << "cuBLAS and cuDNN are not installed beside LibTorch";
  ASSERT_EQ(listing.exit_code, 0);
  ASSERT_GT(listing.names.size(), 10000U) << "scripts/kernel-names finds too little";

  int told = 0;
  int tensor = 0;
  Score ours;
  Score theirs;
  for (const std::string& name : listing.names) {
    const Truth truth = vendor_says(name);
    if (truth == Truth::Silent) continue;
    ++told;
    tensor += truth == Truth::Yes ? 1 : 0;
    const Executed executed = classify_kernel(name).executed;
    count(ours, truth, executed == Executed::Used, executed == Executed::Unknown, name);
    count(theirs, truth, substring_list_says(name), false, name);
  }
  std::printf("%zu names, %d with a vendor's token (%d on Tensor Cores)\n", listing.names.size(), told, tensor);
  std::printf("ampprof: %d wrong, %d unknown (%.1f %%)\n", ours.wrong(), ours.unknown, 100.0 * ours.unknown / told);
  const auto is_unknown = [](const std::string& name) { return classify_kernel(name).executed == Executed::Unknown; };
  std::printf("ampprof: %td of all names unknown\n", std::ranges::count_if(listing.names, is_unknown));
  std::printf("substring list: %d of %d missed, %d of %d wrongly claimed\n", theirs.wrongly_not, tensor,
              theirs.wrongly_used, told - tensor);
  EXPECT_EQ(ours.wrong(), 0) << testing::PrintToString(ours.examples);
  EXPECT_LE(ours.unknown, told / 20);
  EXPECT_GT(theirs.wrong(), ours.wrong());
}

TEST(Catalogue, OfLibTorchsKernelsHasReasons) {
  const Listing listing = list_names(" --torch");
  if (listing.exit_code == 3) GTEST_SKIP() << "LibTorch with CUDA is not installed";
  ASSERT_EQ(listing.exit_code, 0);
  std::map<std::string_view, int> verdicts;
  for (const std::string& name : listing.names) {
    const KernelFacts facts = classify_kernel(name);
    ++verdicts[name_of(facts.executed)];
    const bool is_elementwise = name.starts_with("_ZN2at6native29vectorized_elementwise_kernel");
    EXPECT_TRUE(!is_elementwise || facts.executed == Executed::NotUsed) << name;
  }
  for (const auto& [verdict, names] : verdicts) std::printf("LibTorch, %s: %d\n", std::string(verdict).c_str(), names);
}

}  // namespace catalogue_test
}  // namespace ampprof::kernel_names
