// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iostream>
#include <random>

#include "reports/queries/queries.h"
#include "reports/store/report_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof {
namespace {

using testing_reports::bytes_of;
using testing_reports::TemporaryFolder;
using testing_reports::write_bytes;

constexpr int kRounds = 300;

void read_everything(const std::filesystem::path& path) {
  const Report report(path);
  (void)report.runs();
  (void)report.ops();
  (void)report.events();
  (void)report.missing();
  (void)report.last_step(1);
}

// Returns whether it could be read. Anything but data or a ReportError fails the test, or ends it.
bool is_readable(const std::filesystem::path& path) {
  try {
    read_everything(path);
    return true;
  } catch (const ReportError&) {
    return false;
  }
}

std::string damaged(std::string bytes, std::mt19937& random) {
  // From a flipped bit to a smashed page.
  const std::size_t places = std::size_t{1} << random() % 9;
  for (std::size_t i = 0; i < places; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
  return bytes;
}

TEST(DamagedReport, GivesDataOrAReportError) {
  const TemporaryFolder folder;
  testing_reports::write_sample_report(folder / "whole");
  const std::string whole = bytes_of(folder / "whole");
  std::mt19937 random(1);
  int readable = 0;
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(round);
    write_bytes(folder / "r", damaged(whole, random));
    if (is_readable(folder / "r")) ++readable;
  }
  // Otherwise the damage, or the reading, is none.
  EXPECT_GT(readable, kRounds / 20);
  EXPECT_LT(readable, kRounds * 19 / 20);
}

TEST(DamagedLog, GivesDataOrAReportError) {
  const TemporaryFolder folder;
  create_report(folder / "whole", false);
  ReportWriter writer(folder / "whole");
  writer.append(writer.begin_run(testing_reports::start_of("O1")), testing_reports::two_steps());
  const std::string file = bytes_of(folder / "whole");
  const std::string log = bytes_of(folder / "whole-wal");
  ASSERT_FALSE(log.empty());
  std::mt19937 random(2);
  for (int round = 0; round < kRounds / 3; ++round) {
    SCOPED_TRACE(round);
    const std::filesystem::path path = folder / ("r" + std::to_string(round));
    write_bytes(path, file);
    write_bytes(path.string() + "-wal", damaged(log, random));
    (void)is_readable(path);
  }
}

}  // namespace
}  // namespace ampprof
