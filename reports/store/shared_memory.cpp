// SPDX-License-Identifier: Apache-2.0
#include "reports/store/shared_memory.h"

#include <sys/vfs.h>

#include <algorithm>
#include <iterator>
#include <system_error>

namespace ampprof::store {
namespace {

/// File systems that several machines may mount. FUSE includes sshfs, GlusterFS and shared folders of virtual machines,
/// which are not distinguishable from FUSE file systems of one machine.
constexpr std::uint32_t kOfSeveralMachines[]{
    0x00006969,  // NFS
    0x0000517B,  // SMB
    0xFF534D42,  // CIFS
    0xFE534D42,  // SMB2
    0x0BD00BD0,  // Lustre
    0x47504653,  // GPFS, Spectrum Scale
    0x19830326,  // BeeGFS
    0x00C36400,  // Ceph
    0x20030528,  // OrangeFS, PVFS2
    0xAAD7AAEA,  // PanFS
    0x01161970,  // GFS2
    0x7461636F,  // OCFS2
    0x5346414F,  // OpenAFS
    0x6B414653,  // AFS of the kernel
    0x73757245,  // Coda
    0x01021997,  // 9P
    0x786F4256,  // folders of VirtualBox
    0x65735546,  // FUSE
};

}  // namespace

bool is_of_one_machine(std::uint32_t file_system_type) {
  return std::ranges::find(kOfSeveralMachines, file_system_type) == std::end(kOfSeveralMachines);
}

bool has_shared_memory(const std::filesystem::path& report) {
  // SQLite would open a folder of that name for reading, and fail only on writing.
  std::error_code ignored;
  if (std::filesystem::is_directory(report.string() + "-shm", ignored)) return false;
  struct statfs file_system {};
  if (::statfs(report.c_str(), &file_system) != 0) return true;
  return is_of_one_machine(static_cast<std::uint32_t>(file_system.f_type));
}

}  // namespace ampprof::store
