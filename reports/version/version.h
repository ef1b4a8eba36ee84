// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Version and commit of this ampprof, which cmake/AmpprofVersion.cmake determines.
namespace ampprof::version {

/// Returns the version as `--version` prints it: "0.1.0", or "0.1.0.dev12+g1df7dc1a2b" for a commit between releases.
const char* number();

/// Returns the full hash of the commit of this build; "" if the sources came without one.
const char* commit();

}  // namespace ampprof::version
