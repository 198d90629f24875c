// Ours to a plain loop in one run, for make test-perf. The bounds are far below what the bench shows: they hold on a
// busy machine, and break when a kernel is no longer chosen or no longer threaded.
#include "bench/measure.h"
#include "bench/plain.h"
#include "garner/error.h"
#include "garner/index.h"
#include "garner/torch.h"

namespace garner::measure {
namespace {

struct Ratio {
  std::string name;
  double at_least;  // plain loop's time to ours
  std::function<void()> ours, plain;
};

Tensor filled(DType dtype, const Axes& shape) {
  Tensor t = value_or_throw(Tensor::empty(dtype, shape));
  for (Index i = 0; i < t.elements(); ++i) t.as<float>()[i] = static_cast<float>((i * 2654435761U) % 1000003 + 1);
  return t;
}

Tensor indices(Index count, Index extent) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, {count}));
  const auto numbers = random_numbers(static_cast<std::size_t>(count), static_cast<std::size_t>(extent), 7);
  std::copy(numbers.begin(), numbers.end(), t.as<Index>());
  return t;
}

/// Lowered again in every call, as a user's call is.
void gather_into(const Tensor& x, const Tensor& rows, const Tensor& out) {
  Tensor to = out;
  value_or_throw(run_into(value_or_throw(torch::lower_index_select(x, 0, rows)), to.view()));
}

struct Sizes {
  Index rows, width, count, elements, columns;
};

/// The plain loops run on one thread: what `threads` buys belongs to the ratio.
std::vector<Ratio> gathers(const Sizes& s) {
  const Tensor table = filled(DType::kF32, {s.rows, s.width}), rows = indices(s.count, s.rows);
  const Tensor out = filled(DType::kF32, {s.count, s.width});
  const Tensor flat = filled(DType::kF32, {s.elements}), places = indices(s.elements / 4, s.elements);
  const Tensor picked = filled(DType::kF32, {s.elements / 4});
  return {{"gather rows of 256 B", 1.0, [=] { gather_into(table, rows, out); },
           [=, to = out]() mutable {
    plain_gather_rows(table.data(), rows.as<Index>(), s.count, s.width * 4, to.mutable_data(), 1);
  }},
          {"gather elements", 0.9, [=] { gather_into(flat, places, picked); }, [=, to = picked]() mutable {
    plain_gather_f32(flat.as<float>(), places.as<Index>(), s.elements / 4, to.as<float>(), 1);
  }}};
}

Ratio scatter(const Sizes& s) {
  Tensor table = filled(DType::kF32, {s.rows / 8, s.width});
  const Tensor rows = indices(s.count, s.rows / 8), updates = filled(DType::kF32, {s.count, s.width});
  return {"scatter-add rows of 256 B", 0.8, [=]() mutable {
    torch::index_add_(table.view(), 0, rows, updates);
  }, [=]() mutable { plain_add_rows_f32(table.as<float>(), rows.as<Index>(), s.count, s.width, updates.as<float>()); }};
}

std::vector<Ratio> searches(const Sizes& s) {
  const Tensor x = filled(DType::kF32, {s.elements / s.columns, s.columns});
  Tensor mask = filled(DType::kF32, x.shape());
  for (Index i = 0; i < mask.elements(); ++i)
    if (i * 2654435761U % 10 != 0) mask.as<float>()[i] = 0;
  const Index hits = count_nonzero(mask).as<Index>()[0];
  Tensor out = value_or_throw(Tensor::empty(DType::kI64, {hits, 2}));
  const auto sink = std::make_shared<Index>();
  return {{"argmax", 1.5, [=] { *sink = argmax(x).as<Index>()[0]; },
           [=] { *sink = plain_argmax_f32(x.as<float>(), x.elements()); }},
          {"nonzero", 0.8, [=]() mutable { nonzero_into(mask, out.view()); },
           [=]() mutable { plain_nonzero_f32(mask.as<float>(), mask.elements(), s.columns, out.as<Index>()); }}};
}

/// Turn by turn, so that what else the machine does hits both.
Json measured(const Ratio& r, int turns) {
  std::vector<double> ours, plain;
  for (int i = 0; i <= turns; ++i) {
    const double a = seconds_of(r.ours), b = seconds_of(r.plain);
    if (i == 0) continue;  // warms up
    ours.push_back(a);
    plain.push_back(b);
  }
  const double mine = median(ours), theirs = median(plain), ratio = theirs / mine;
  return {{"name", r.name}, {"ours_ms", mine * 1e3},  {"plain_ms", theirs * 1e3},
          {"ratio", ratio}, {"at_least", r.at_least}, {"ok", ratio >= r.at_least}};
}

}  // namespace

Json ratios(const Options& options) {
  const Index part = options.quick ? 16 : 1;
  const Sizes s{
      .rows = (1 << 21) / part, .width = 64, .count = (1 << 19) / part, .elements = (1 << 25) / part, .columns = 1024};
  std::vector<Ratio> all = gathers(s);
  all.push_back(scatter(s));
  for (Ratio& r : searches(s)) all.push_back(std::move(r));
  Json rows = Json::array();
  int failed = 0;
  for (const Ratio& r : all) {
    rows.push_back(measured(r, 9));
    if (!rows.back()["ok"].get<bool>()) ++failed;
  }
  return {{"ratios", rows}, {"failed", failed}};
}

}  // namespace garner::measure
