// SPDX-License-Identifier: Apache-2.0
#include "profiler/calls/signature_ids.h"

#include <gtest/gtest.h>

#include "reports/records/op_call.h"

namespace ampprof::profiler {
namespace signature_ids_test {

TEST(SignatureIds, AreNewOnce) {
  SignatureIds ids;
  EXPECT_EQ(ids.id_of(77), (SignatureIds::Found{1, true}));
  EXPECT_EQ(ids.id_of(78), (SignatureIds::Found{2, true}));
  EXPECT_EQ(ids.id_of(77), (SignatureIds::Found{1, false}));
}

TEST(SignatureIds, BeyondTheMostAllOthersAreOne) {
  SignatureIds ids;
  for (std::uint64_t hash = 1; hash <= SignatureIds::kMost; ++hash) ids.id_of(hash);
  EXPECT_EQ(ids.id_of(SignatureIds::kMost + 1), (SignatureIds::Found{kOtherShapes, false}));
  EXPECT_EQ(ids.id_of(1), (SignatureIds::Found{1, false})) << "known ones stay";
  EXPECT_EQ(ids.id_of(SignatureIds::kMost), (SignatureIds::Found{SignatureIds::kMost, false}));
}

}  // namespace signature_ids_test
}  // namespace ampprof::profiler
