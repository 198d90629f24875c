// In place of protobuf/ when Garner is built without ONNX's schema.
#include "base/fail.h"
#include "garner/model.h"

namespace garner::model {
namespace {

Status absent() {
  return fail(Code::kUnsupported, "OM10",
              "model: this garner was built without ONNX; build it again with libonnx-dev and libprotobuf-dev");
}

}  // namespace

bool is_available() { return false; }
Result<Model> load(const std::string&) { return absent(); }
Result<Model> parse(std::string_view) { return absent(); }
Status save(const OnnxGraph&, const std::string&) { return absent(); }
Result<std::string> serialize(const OnnxGraph&) { return absent(); }

}  // namespace garner::model
