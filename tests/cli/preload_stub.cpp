// SPDX-License-Identifier: Apache-2.0
// Stands in for the preload stub, so that the command line can be tested without LibTorch.
