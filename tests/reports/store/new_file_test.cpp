// SPDX-License-Identifier: Apache-2.0
#include "reports/store/new_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reports/store/report_error.h"
#include "tests/reports/sample_report.h"

namespace ampprof::store {
namespace new_file_test {

using testing::HasSubstr;
using testing_reports::bytes_of;
using testing_reports::TemporaryFolder;
using testing_reports::write_bytes;
namespace fs = std::filesystem;

std::string failure_in_place(NewFile& file) {
  try {
    file.put_in_place();
  } catch (const WriteError& error) {
    return error.what();
  }
  return "no failure";
}

TEST(NewFile, IsThereOnceItIsPutInPlace) {
  const TemporaryFolder folder;
  for (const bool replace : {false, true}) {
    NewFile file(folder / "f", replace, "report");
    write_bytes(file.temporary(), replace ? "new" : "old");
    EXPECT_EQ(fs::exists(folder / "f"), replace);
    EXPECT_EQ(failure_in_place(file), "no failure");
    EXPECT_EQ(bytes_of(folder / "f"), replace ? "new" : "old");
    EXPECT_FALSE(fs::exists(file.temporary()));
  }
}

TEST(NewFile, LeavesNothingWhereItIsNotPutInPlace) {
  const TemporaryFolder folder;
  {
    const NewFile file(folder / "f", false, "report");
    write_bytes(file.temporary(), "half");
    write_bytes(file.temporary().string() + "-journal", "half");
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(NewFile, HasANameOfItsOwnUntilThen) {
  const TemporaryFolder folder;
  const NewFile one(folder / "f", false, "report");
  const NewFile other(folder / "f", false, "report");
  EXPECT_NE(one.temporary(), other.temporary());
  EXPECT_EQ(one.temporary().parent_path(), folder.path());
}

TEST(NewFile, SaysThatSomeoneElseHasTakenTheName) {
  const TemporaryFolder folder;
  NewFile file(folder / "f", false, "table");
  write_bytes(file.temporary(), "new");
  write_bytes(folder / "f", "precious");
  EXPECT_THAT(failure_in_place(file), HasSubstr("the table " + (folder / "f").string() + " exists already"));
  EXPECT_EQ(bytes_of(folder / "f"), "precious");
}

TEST(NewFile, SaysWhatTheSystemSays) {
  const TemporaryFolder folder;
  for (const bool replace : {false, true}) {
    NewFile never_written(folder / "f", replace, "report");
    EXPECT_EQ(failure_in_place(never_written),
              "cannot write the report " + (folder / "f").string() + ": No such file or directory");
  }
}

TEST(NewFile, TakesALinkToNothingForAFile) {
  const TemporaryFolder folder;
  fs::create_symlink("nothing", folder / "f");
  EXPECT_THROW(NewFile(folder / "f", false, "report"), WriteError);
  EXPECT_THROW(NewFile(folder / "f", true, "report"), WriteError);
}

// root ignores permissions, so a child process tries as the user nobody.
TEST(NewFile, IsNotBegunInAFolderWithoutPermission) {
  const TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0555));
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::getuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(77);
    try {
      const NewFile file(folder / "f", false, "report");
      ::_exit(2);
    } catch (const WriteError& error) {
      ::_exit(std::string(error.what()).find("(Permission denied); choose another directory with -o") !=
                      std::string::npos
                  ? 0
                  : 3);
    }
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  fs::permissions(folder.path(), fs::perms(0755));
  if (WEXITSTATUS(status) == 77) GTEST_SKIP() << "may not become another user";
  EXPECT_EQ(status, 0);
}

}  // namespace new_file_test
}  // namespace ampprof::store
