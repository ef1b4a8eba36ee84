// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Says which ampprof this is. cmake/AmpprofVersion.cmake finds out.
namespace ampprof::version {

/// Returns the version as `--version` prints it: "0.1.0", or "0.1.0.dev12+g1df7dc1a2b" of a commit in between.
const char* number();

/// Returns the whole hash of the commit that this was built from; "" where the sources came without one.
const char* commit();

}  // namespace ampprof::version
