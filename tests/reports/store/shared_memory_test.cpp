// SPDX-License-Identifier: Apache-2.0
#include "reports/store/shared_memory.h"

#include <gtest/gtest.h>

#include "tests/temporary_folder.h"

namespace ampprof {
namespace shared_memory_test {

struct FileSystem {
  const char* name;
  std::uint32_t type;
  bool is_of_one_machine;
};

// Magic numbers from linux/magic.h and the man page of statfs.
constexpr FileSystem kFileSystems[]{
    {"ext4", 0xEF53, true},        {"xfs", 0x58465342, true},   {"btrfs", 0x9123683E, true},
    {"tmpfs", 0x01021994, true},   {"zfs", 0x2FC12FC1, true},   {"overlayfs", 0x794C7630, true},
    {"NFS", 0x6969, false},        {"CIFS", 0xFF534D42, false}, {"SMB2", 0xFE534D42, false},
    {"Lustre", 0x0BD00BD0, false}, {"GPFS", 0x47504653, false}, {"Ceph", 0x00C36400, false},
    {"BeeGFS", 0x19830326, false}, {"FUSE", 0x65735546, false}, {"9P", 0x01021997, false},
};

TEST(SharedMemory, IsNoneOnFileSystemsOfSeveralMachines) {
  for (const FileSystem& each : kFileSystems) {
    EXPECT_EQ(store::is_of_one_machine(each.type), each.is_of_one_machine) << each.name;
  }
}

TEST(SharedMemory, IsWhatTheFileSystemOfTheReportHas) {
  // These paths are in /proc, so the results do not depend on the file system of the tests' folder.
  EXPECT_TRUE(store::has_shared_memory("/proc/self/exe-that-is-not-there")) << "SQLite finds out";
  EXPECT_TRUE(store::has_shared_memory("/proc/version")) << "procfs is of one machine";
}

TEST(SharedMemory, IsNoneWhereAFolderHasItsName) {
  const test_support::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "r-shm");
  EXPECT_FALSE(store::has_shared_memory(folder / "r"));
}

}  // namespace shared_memory_test
}  // namespace ampprof
