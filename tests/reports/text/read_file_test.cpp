// SPDX-License-Identifier: Apache-2.0
#include "reports/text/read_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "tests/temporary_folder.h"

namespace ampprof::text {
namespace read_file_test {

TEST(ReadFile, HasAllBytes) {
  const test_support::TemporaryFolder folder;
  const std::string bytes("a\nb\0c\n", 6);
  std::ofstream(folder / "f", std::ios::binary) << bytes;
  EXPECT_EQ(read_file(folder / "f"), bytes);
}

TEST(ReadFile, IsEmptyWhereThereIsNothingToRead) {
  const test_support::TemporaryFolder folder;
  EXPECT_EQ(read_file(folder / "none"), "");
  EXPECT_EQ(read_file(folder.path()), "") << "a folder opens, and cannot be read";
}

TEST(ReadFile, IsEmptyWhereAProcessEndsBetweenOpeningAndReading) {
  const pid_t process = fork();
  if (process == 0) pause();
  std::ifstream stat("/proc/" + std::to_string(process) + "/stat");
  ASSERT_TRUE(stat.is_open());
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  EXPECT_EQ(read_all(stat), "");
}

}  // namespace read_file_test
}  // namespace ampprof::text
