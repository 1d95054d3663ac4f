#pragma once

#include "gpu/tables/hash_program.hpp"

#include <memory>
#include <utility>

namespace slotscape {

/// A table's hash function, and how a hash is reduced to a slot number.
struct HashChoice {
  HashKind kind = HashKind::murmur3;
  HashReduction reduction = HashReduction::usual;
  std::shared_ptr<HashFormula const> formula = {};  ///< never null if `kind` is formula

  HashChoice() = default;
  HashChoice(HashKind one) : kind(one) {}  // NOLINT(google-explicit-constructor): a kind alone is a choice
  explicit HashChoice(HashFormula given)
      : kind(HashKind::formula), formula(std::make_shared<HashFormula const>(std::move(given)))
  {
  }

  /// Whether the hash works without a program.
  bool is_compiled_in() const { return kind != HashKind::formula && reduction == HashReduction::usual; }
  HashProgram program() const { return formula ? formula->program : HashProgram::of(kind); }

  friend bool operator==(HashChoice const& a, HashChoice const& b)
  {
    return a.kind == b.kind && a.reduction == b.reduction && (!a.formula || a.formula->text == b.formula->text);
  }
};

}  // namespace slotscape
