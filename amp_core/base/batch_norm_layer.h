// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace amp {

/// Marks a module of amp_core as a batch norm layer: O2 keeps it in FP32, like LibTorch's batch norm layers.
class BatchNormLayer {
 public:
  virtual ~BatchNormLayer() = default;

 protected:
  BatchNormLayer() = default;
  BatchNormLayer(const BatchNormLayer&) = default;
  BatchNormLayer& operator=(const BatchNormLayer&) = default;
};

}  // namespace amp
