// SPDX-License-Identifier: Apache-2.0
#include "cli/export/event_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "tests/cli/export/read_events.h"

namespace ampprof::cli {
namespace event_file_test {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

template <class Add>
std::vector<ReadEvent> written(const Add& add) {
  std::ostringstream out;
  EventFile file(out);
  file.add_version(1000);
  add(file);
  return parse_events(out.str());
}

TEST(Crc32c, HasItsKnownAnswers) {
  EXPECT_EQ(crc32c(""), 0u);
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);
  // From RFC 3720, appendix B.4.
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

TEST(TfRecord, IsLengthDataAndTheirCrcs) {
  // The CRCs equal those of TensorBoard's masked_crc32c().
  EXPECT_EQ(tf_record("abc"),
            bytes({3, 0, 0, 0, 0, 0, 0, 0, 0xB0, 0x99, 0x49, 0x0E}) + "abc" + bytes({0x6E, 0x57, 0xF1, 0x21}));
  EXPECT_EQ(tf_record("").size(), 16u);
}

TEST(EventFile, BeginsWithItsVersion) {
  const auto events = written([](EventFile&) {});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].file_version, "brain.Event:2");
  EXPECT_EQ(events[0].wall_seconds, 1000);
}

TEST(EventFile, HoldsAScalarInTheFieldsOfTheProtocol) {
  std::ostringstream out;
  EventFile(out).add_scalar("loss", {.step = 300, .wall_seconds = 2}, 1.5);
  // Field numbers: in Event, wall_time is 1, step (a varint) is 2 and summary is 5; in Summary, value is 1; in Value,
  // tag is 1 and simple_value is 2.
  const std::string event = bytes({0x09, 0, 0, 0, 0, 0, 0, 0, 0x40, 0x10, 0xAC, 0x02, 0x2A, 13, 0x0A, 11}) +
                            bytes({0x0A, 4}) + "loss" + bytes({0x15, 0, 0, 0xC0, 0x3F});
  EXPECT_EQ(parse_records(out.str()).at(0), event);
}

TEST(EventFile, KeepsNanInfAndZero) {
  const double inf = std::numeric_limits<double>::infinity();
  const auto events = written([&](EventFile& file) {
    for (const double value : {std::nan(""), -inf, 0.0, 1e300}) file.add_scalar("loss", {.step = 1}, value);
  });
  ASSERT_EQ(events.size(), 5u);
  EXPECT_TRUE(std::isnan(events[1].scalar.value()));
  EXPECT_EQ(events[2].scalar, -inf);
  EXPECT_EQ(events[3].scalar, 0.0F);
  EXPECT_EQ(events[4].scalar, inf) << "a float does not hold it";
}

TEST(EventFile, HoldsStepsOfAnySize) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  const auto events = written([&](EventFile& file) {
    for (const std::int64_t step : {std::int64_t{-1}, std::int64_t{0}, kMost}) file.add_scalar("loss", {step, 0}, 1);
  });
  EXPECT_EQ(events.at(1).step, -1);
  EXPECT_EQ(events.at(2).step, 0);
  EXPECT_EQ(events.at(3).step, kMost);
}

TEST(EventFile, HoldsAHistogramWithItsSums) {
  const auto events = written([](EventFile& file) {
    file.add_histogram("h", {.step = 7}, {.lowest = -2, .limits = {0, 2, 4}, .counts = {1, 0, 3}});
  });
  const ReadEvent& event = events.at(1);
  EXPECT_EQ(event.step, 7);
  EXPECT_EQ(event.limits, (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(event.counts, (std::vector<double>{1, 0, 3}));
  // Fields 1 to 5: min, max, num, then sum and sum of squares of the bin centres -1, 3, 3, 3.
  EXPECT_EQ(event.figures, (std::map<int, double>{{1, -2}, {2, 4}, {3, 4}, {4, 8}, {5, 28}}));
}

TEST(EventFile, HoldsATextForThePluginOfTexts) {
  const std::string tag = "findings/µ \"語\"\\";
  const std::string text(300, 'x');
  const auto events = written([&](EventFile& file) { file.add_text(tag, {.step = 3}, text); });
  EXPECT_EQ(events.at(1).tag, tag);
  EXPECT_EQ(events.at(1).text, text);
  EXPECT_EQ(events.at(1).plugin, "text");
}

}  // namespace event_file_test
}  // namespace ampprof::cli
