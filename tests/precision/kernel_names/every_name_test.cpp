// SPDX-License-Identifier: Apache-2.0
// Tests everything that is parsed from kernel names: compares a sample of the names of cuBLAS 13, cublasLt, cuDNN 9 and
// LibTorch 2.11 (names.txt) with golden/kernel_names.txt.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "precision/kernel_names/classify.h"
#include "precision/kernel_names/readable_name.h"
#include "tests/golden.h"

namespace ampprof::kernel_names {
namespace every_name_test {

std::string_view word_for(const std::optional<DType>& type) { return type ? short_name(*type) : "-"; }

std::string facts_of(const std::string& name) {
  const KernelFacts facts = classify_kernel(name);
  const KernelTypes& types = facts.types;
  std::ostringstream out;
  out << name_of(facts.kind) << ", " << name_of(facts.executed) << " by " << facts.evidence << " ("
      << name_of(facts.confidence) << "), " << word_for(types.input) << " > " << word_for(types.multiply) << " > "
      << word_for(types.accumulate) << " > " << word_for(types.output) << (types.tf32 ? ", TF32" : "");
  if (facts.tile) out << ", " << facts.tile->m << 'x' << facts.tile->n << 'x' << facts.tile->k;
  if (facts.sm) out << ", sm_" << *facts.sm;
  return out.str();
}

TEST(EveryKernelName, SaysWhatItSaid) {
  std::ifstream names(KERNEL_NAME_SAMPLE);
  std::string text;
  for (std::string name; std::getline(names, name);) {
    text += name + "\n  " + readable_name(name) + "\n  " + short_name_of_kernel(name) + "\n  " + facts_of(name) + '\n';
  }
  test_support::expect_golden("kernel_names.txt", text);
}

}  // namespace every_name_test
}  // namespace ampprof::kernel_names
