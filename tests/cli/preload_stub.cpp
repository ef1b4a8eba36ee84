// SPDX-License-Identifier: Apache-2.0
// Stands in for the real stub, so that the command line can be tested without LibTorch.
