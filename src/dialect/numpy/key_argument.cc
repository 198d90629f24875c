// A key in the text form. Its grammar has no slices and does not tell a list from a tuple, so inside a key a bare list
// is a slice and an index array is written as a tensor.
#include "base/fail.h"
#include "dialect/numpy/key.h"

namespace garner::numpy {
namespace {

const Values* as_list(const Value& v) {
  const auto* held = std::get_if<std::shared_ptr<Values>>(&v.held);
  return held == nullptr ? nullptr : held->get();
}

Status wrong(const std::string& op) {
  return fail(Code::kIndex, "NP23",
              "{}: a part of the key is neither an integer, (start, stop, step), newaxis, Ellipsis nor a tensor", op);
}

Result<std::optional<Index>> slice_end(const std::string& op, const Value& v) {
  if (v.is_none()) return std::optional<Index>();
  if (const Index* i = std::get_if<Index>(&v.held)) return std::optional<Index>(*i);
  return wrong(op);
}

/// slice(stop), slice(start, stop) or slice(start, stop, step), as in Python.
Result<KeyPart> slice_of(const std::string& op, const Values& ends) {
  if (ends.empty() || ends.size() > 3) return wrong(op);
  Slice slice;
  std::optional<Index>* const places[] = {&slice.start, &slice.stop, &slice.step};
  const std::size_t first = ends.size() == 1 ? 1 : 0;
  for (std::size_t i = 0; i < ends.size(); ++i) { GARNER_ASSIGN(*places[first + i], slice_end(op, ends[i])); }
  return KeyPart(slice);
}

Result<KeyPart> word_of(const std::string& op, const std::string& text) {
  if (text == "newaxis") return KeyPart(newaxis);
  if (text == "Ellipsis") return KeyPart(ellipsis);
  return wrong(op);
}

Result<KeyPart> part_of(const std::string& op, const Value& v, std::vector<Tensor>& kept) {
  if (v.is_none()) return KeyPart(newaxis);
  if (const Index* position = std::get_if<Index>(&v.held)) return KeyPart(*position);
  if (const Word* word = std::get_if<Word>(&v.held)) return word_of(op, word->text);
  if (const Values* ends = as_list(v)) return slice_of(op, *ends);
  if (const View* view = std::get_if<View>(&v.held)) return KeyPart(*view);
  if (const bool* b = std::get_if<bool>(&v.held)) kept.push_back(scalar(*b));
  else if (const Tensor* t = std::get_if<Tensor>(&v.held)) kept.push_back(*t);
  else return wrong(op);
  return KeyPart(View(kept.back()));
}

}  // namespace

Result<KeyArgument> key_argument(Arguments& a, const std::string& name) {
  const Value& given = a.value(name);
  const Values* parts = as_list(given);
  const Values alone{given};
  KeyArgument out;
  for (const Value& v : parts == nullptr ? alone : *parts) {
    GARNER_ASSIGN(KeyPart part, part_of(a.op(), v, out.kept));
    out.key.push_back(std::move(part));
  }
  return out;
}

}  // namespace garner::numpy
