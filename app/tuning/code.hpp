#pragma once

#include "app/base/enum_names.hpp"
#include "app/tuning/results.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape::tuning {

/// The target of generated code.
enum class CodeFor : std::uint8_t { slotscape, cuda, cucollections, warpcore };

/// A source file that makes a table and uses it.
struct Code {
  std::string file;    ///< name of the file: "linear_probing.cu"
  std::string text;    ///< empty if there is no code
  std::string remark;  ///< a note, or why there is no code; may be empty
};

/// Code for a candidate of a sweep, for its device, its keys and the operations of its workload. Without text if the
/// library has no table of that kind.
Code code_of(CodeFor kind, Candidate const& candidate, Results const& results);
/// The part of `code_of` for `CodeFor::cuda`: a table in plain CUDA, with an example.
Code cuda_listing(Candidate const& candidate, std::uint64_t keys);

/// `text` with each @NAME@ replaced, for pieces of code full of braces.
std::string filled(std::string text, std::initializer_list<std::pair<std::string_view, std::string>> const& values);

}  // namespace slotscape::tuning

namespace slotscape {
template <>
std::span<EnumName<tuning::CodeFor> const> enum_names();
}  // namespace slotscape
