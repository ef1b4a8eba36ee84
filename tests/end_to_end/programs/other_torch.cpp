// SPDX-License-Identifier: Apache-2.0
// Stands in for a LibTorch that ampprof was not built for.
extern "C" int torch_answer() { return 0; }
