#include "format/npy.h"

#include <cstring>

#include "format/npy_header.h"

namespace garner::format {

Result<Mapped> npy_in(const Source& source, std::optional<DType> dtype) {
  GARNER_ASSIGN(const NpyHeader header, parse_npy_header(source, dtype));
  return look(source, header.data_offset, header.layout);
}

Result<Mapped> read_npy(const std::string& path, std::optional<DType> dtype) {
  GARNER_ASSIGN(const auto file, MappedFile::open(path));
  return npy_in({path, file->bytes(), file}, dtype);
}

Status write_npy_to(const std::string& path, const View& view, const Sink& sink) {
  GARNER_ASSIGN(const std::string header, npy_header(path, view.dtype(), view.shape()));
  GARNER_TRY(sink(header.data(), header.size()));
  return write_elements(view, sink);
}

Status write_npy(const std::string& path, const View& view) {
  GARNER_ASSIGN(NewFile file, NewFile::create(path));
  GARNER_TRY(write_npy_to(path, view, [&](const void* data, std::size_t bytes) { return file.write(data, bytes); }));
  return file.commit();
}

// ---- NpyWriter ----

struct NpyWriter::State {
  NewFile file;
  Mapping mapping;
  MutableView view;
};

Result<NpyWriter> NpyWriter::create(const std::string& path, DType dtype, const Axes& shape) {
  GARNER_ASSIGN(const std::string header, npy_header(path, dtype, shape));
  GARNER_ASSIGN(const Index bytes, bytes_of(path, dtype, shape));
  GARNER_ASSIGN(NewFile file, NewFile::create(path));
  GARNER_ASSIGN(Mapping mapping, file.map(header.size() + static_cast<std::size_t>(bytes)));
  std::memcpy(mapping.data(), header.data(), header.size());
  const MutableView view(dtype, mapping.data() + header.size(), shape);
  NpyWriter out;
  out.state_ = std::make_shared<State>(std::move(file), std::move(mapping), view);
  return out;
}

const MutableView& NpyWriter::view() const { return state_->view; }

void NpyWriter::forget() const { state_->mapping.forget(); }

Status NpyWriter::commit() {
  state_->view = {};
  { const Mapping gone = std::move(state_->mapping); }
  return state_->file.commit();
}

}  // namespace garner::format
