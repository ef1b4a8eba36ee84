// SPDX-License-Identifier: Apache-2.0
#include "profiler/gpu/activity_file.h"

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace ampprof::profiler {
namespace activity_file_test {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// Records of kinds 10 and 5. The first four bytes of a record are its kind.
const std::string kKernel("\x0a\0\0\0kernel", 10);
const std::string kCall("\x05\0\0\0", 4);

class GpuActivityFile : public testing::Test {
 protected:
  void SetUp() override {
    ActivityFile file(folder_ / "records", 130001);
    file.append({.clock = {1ULL << 63, -5},
                 .context = 1,
                 .stream = 2,
                 .dropped = 3,
                 .is_cut_short = false,
                 .records = {{10, bytes_of(kKernel), "_Z4gemmv"}, {5, bytes_of(kCall), std::nullopt}}});
    file.append({.clock = {}, .is_cut_short = true, .records = {}});
    EXPECT_TRUE(file.is_good());
    bytes_ = test_support::bytes_of(folder_ / "records");
  }

  test_support::TemporaryFolder folder_;
  std::string bytes_;
};

std::string_view text_of(const RawRecord& record) {
  return {reinterpret_cast<const char*>(record.bytes.data()), record.bytes.size()};
}

TEST_F(GpuActivityFile, GivesBackWhatWasWritten) {
  const ActivityDump dump = read_activities(bytes_of(bytes_));
  EXPECT_EQ(dump.cupti_version, 130001U);
  ASSERT_EQ(dump.buffers.size(), 2U);
  EXPECT_EQ(dump.buffers[0].clock, (CuptiClock{1ULL << 63, -5}));
  EXPECT_EQ(dump.buffers[0].context, 1U);
  EXPECT_EQ(dump.buffers[0].stream, 2U);
  EXPECT_EQ(dump.buffers[0].dropped, 3U);
  EXPECT_FALSE(dump.buffers[0].is_cut_short);
  ASSERT_EQ(dump.buffers[0].records.size(), 2U);
  EXPECT_EQ(text_of(dump.buffers[0].records[0]), kKernel);
  EXPECT_EQ(dump.buffers[0].records[0].name, "_Z4gemmv");
  EXPECT_EQ(text_of(dump.buffers[0].records[1]), kCall);
  EXPECT_EQ(dump.buffers[0].records[1].name, std::nullopt);
  EXPECT_TRUE(dump.buffers[1].is_cut_short);
  EXPECT_TRUE(dump.missing.empty());
}

TEST_F(GpuActivityFile, CutAnywhereGivesTheRecordsBeforeAndSaysSo) {
  constexpr std::size_t kHead = 8 + 2 * 4;
  const std::size_t first = bytes_.size() - (4 + 16 + 8 + 4 + 8 + 4 + 4);  // start of the second buffer
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    const auto part = bytes_of(std::string_view(bytes_).substr(0, size));
    if (size < kHead) {
      EXPECT_THROW(read_activities(part), ActivityFileError);
      continue;
    }
    const ActivityDump dump = read_activities(part);
    const bool is_at_a_border = size == kHead || size == first;
    ASSERT_EQ(dump.missing.size(), is_at_a_border ? 0U : 1U) << size;
    if (is_at_a_border) continue;
    EXPECT_EQ(dump.missing[0].cause, "the file ends too early");
    EXPECT_TRUE(dump.buffers.back().is_cut_short);
    EXPECT_EQ(dump.buffers.size(), size < first ? 1U : 2U);
  }
}

TEST_F(GpuActivityFile, SaysWhereItIsDamaged) {
  for (const std::string& mark : {std::string("BUFF"), kKernel}) {
    std::string damaged = bytes_;
    damaged[damaged.find(mark)] ^= 1;
    const ActivityDump dump = read_activities(bytes_of(damaged));
    ASSERT_EQ(dump.missing.size(), 1U);
    EXPECT_EQ(dump.missing[0].cause, "the file is damaged");
    EXPECT_EQ(dump.missing[0].count, 1);
    EXPECT_EQ(dump.buffers.size(), 1U) << "what follows is not to be trusted";
    EXPECT_TRUE(dump.buffers.back().is_cut_short);
  }
}

TEST_F(GpuActivityFile, RefusesOtherFiles) {
  const auto sentence_about = [](std::string_view bytes) -> std::string {
    try {
      read_activities(bytes_of(bytes));
      return "none";
    } catch (const ActivityFileError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(sentence_about("SQLite format 3"), "not a file of CUPTI activities: it does not begin with AMPCUPTI");
  EXPECT_EQ(sentence_about("AMP"), "not a file of CUPTI activities: it ends within its header");
  bytes_[8] = 9;
  EXPECT_EQ(sentence_about(bytes_), "a file of CUPTI activities of format 9, but this build reads 1");
}

TEST(GpuActivityFileWriting, KnowsThatItFailed) {
  ActivityFile file("/nowhere/records", 130001);
  file.append({});
  EXPECT_FALSE(file.is_good());
}

}  // namespace activity_file_test
}  // namespace ampprof::profiler
