// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace amp {

/// What happens to the floating arguments of an op. Double is never touched.
enum class CastPolicy : std::uint8_t {
  Pass,        ///< no cast: runs in whatever arrives
  Fp16,        ///< all to FP16
  Fp32,        ///< all to FP32
  Promote,     ///< all to FP32 if any is
  MatchSelf,   ///< in place: the others to the type of the tensor that is written
  RefuseHalf,  ///< in place of an FP32 op: an error if the tensor that is written is half
  Banned,      ///< an error if any argument is half
};

/// "fp16", "fp32", "promote" or "banned": the words of a list.
std::optional<CastPolicy> cast_policy_from(std::string_view word);

/// Name of an operator without its namespace: base "add", overload "Tensor".
struct OpName {
  std::string base;
  std::string overload;

  auto operator<=>(const OpName&) const = default;
};

/// Splits "add.Tensor"; the overload of "relu" is "".
OpName op_name_from(std::string_view text);

/// Which op gets which policy.
///
/// A list is text, one op a line: name and policy. A name with overload ("pow.Scalar") means that overload, a bare name
/// all overloads but those with an out argument. In-place forms ("exp_") follow from the name without underscore:
/// Fp16 and Promote become MatchSelf, Fp32 becomes RefuseHalf. `#` starts a comment. Later lines win.
class CastList {
 public:
  /// Throws Error naming the line when the text is not a list.
  explicit CastList(std::string_view text);

  CastPolicy policy_of(const OpName& op) const;

  /// Names as written, in alphabetical order.
  std::vector<std::string> names() const;

 private:
  std::map<std::string, CastPolicy, std::less<>> policies_;
};

}  // namespace amp
