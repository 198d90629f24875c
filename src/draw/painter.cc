#include "draw/painter.h"

#include <algorithm>
#include <list>

#include "base/fail.h"
#include "draw/sheet.h"
#include "explain/equation.h"
#include "tensor/walk.h"

namespace garner {
namespace {

/// What a job's tensor is shown as: the user's own tensor, where it is one or a part of one.
GivenTensor shown_as(const GivenTensors& given, const View& view, const std::string& otherwise) {
  const GivenTensor* whole = given.holding(view);
  return whole != nullptr ? *whole : GivenTensor{given.name_of(view, otherwise), view};
}

/// The name that the equation and the errors use.
std::string index_name(const Job& job, const GivenTensors& given, std::size_t t) {
  const std::string label = t < job.labels.size() ? job.labels[t].name : "index";
  if (!is_from_mask(job, given, t)) return label;
  const auto axis = std::ranges::find(job.plan.indexed, static_cast<int>(t), &AxisMap::term);
  return fmt::format("nonzero({})[:, {}]", label, axis - job.plan.indexed.begin());
}

/// f(view, name) for every tensor of a job that is shown, in order.
template <class F>
Status for_each_shown(const Job& job, const GivenTensors& given, F&& f) {
  const auto show = [&](const View& view, const std::string& otherwise) -> Status {
    const GivenTensor as = shown_as(given, view, otherwise);
    return f(as.view, as.name);
  };
  if (job.operand) GARNER_TRY(show(*job.operand, "operand"));
  for (std::size_t t = 0; t < job.indices.size(); ++t)
    GARNER_TRY(f(shown_as(given, job.indices[t], "").view, index_name(job, given, t)));
  if (job.updates) GARNER_TRY(show(*job.updates, "updates"));
  if (job.mask) GARNER_TRY(show(*job.mask, "mask"));
  // One number shows in the cells it fills.
  const bool moves = job.fill && std::ranges::any_of(*job.plan.fill_stride, [](Index s) { return s != 0; });
  return moves ? show(*job.fill, "fill") : Status{};
}

Mark mark_of(Fate fate) {
  switch (fate) {
    case Fate::kFilled: return Mark::kFilled;
    case Fate::kDropped: return Mark::kDropped;
    case Fate::kMasked: return Mark::kMasked;
    case Fate::kDone:
    case Fate::kTrapped: return Mark::kTrapped;
  }
  return Mark::kTrapped;
}

void add_marks(const IndexRead& read, std::set<Mark>& marks) {
  if (read.wrapped) marks.insert(Mark::kWrapped);
  if (read.clamped) marks.insert(Mark::kClamped);
  if (read.folded) marks.insert(Mark::kModulo);
}

const char* short_word(Fate fate) {
  switch (fate) {
    case Fate::kFilled: return "filled";
    case Fate::kDropped: return "dropped";
    case Fate::kMasked: return "masked";
    case Fate::kTrapped: return "error";
    case Fate::kDone: return "";
  }
  return "";
}

const void* address_of(const View& view, Index element) {
  return static_cast<const std::byte*>(view.data()) + element * width(view.dtype());
}

class Painter {
 public:
  Painter(const GivenTensors& given, Scene& scene)
      : given_(given), job_(scene.job), plan_(scene.job.plan), steps_(scene.steps), scene_(scene) {}

  Status paint() {
    GARNER_TRY(for_each_shown(job_, given_, [&](const View& view, const std::string& name) -> Status {
      if (find(view) == nullptr) sheets_.emplace_back(name, view);
      return {};
    }));
    GARNER_TRY(run_job());
    for (const Step& step : steps_) paint_step(step);
    if (!is_gather()) finish_targets();
    collect();
    return {};
  }

 private:
  bool is_gather() const { return plan_.direction == Direction::kGather; }

  // ---- the sheets ----

  Sheet* find(const View& view) {
    const auto at = std::ranges::find_if(sheets_, [&](const Sheet& s) { return s.is(view); });
    return at == sheets_.end() ? nullptr : &*at;
  }
  /// Every view of the job has one: paint() begins with that.
  Sheet& sheet_of(const View& view) { return *find(shown_as(given_, view, "").view); }

  // ---- the result ----

  /// Values come from the engine; where an index is an error, from what run() leaves at the other positions.
  Status run_job() {
    auto results = run(job_);
    if (!results.ok() && results.status().code != Code::kIndex) return results.status();
    if (results.ok()) {
      result_ = (*results)[plan_.fetch_stride ? 1 : 0];
      if (plan_.fetch_stride) before_ = results->front();
    } else {
      scene_.notes.push_back(fmt::format("error: {} ({})", results.status().message, results.status().rule));
      GARNER_TRY(run_past_errors());
    }
    result_sheet_.emplace("result", result_);
    return {};
  }

  Status run_past_errors() {
    Job job = job_;
    job.plan.fetch_stride.reset();
    GARNER_ASSIGN(result_, Tensor::zeros(job.plan.dtype, job.result_shape));
    const Status status = run_into(job, result_.view());
    return status.code == Code::kIndex ? Status{} : status;
  }

  // ---- one position ----

  void paint_step(const Step& step) {
    const Index dense_place = dot(step.at, row_major(plan_.domain));
    std::optional<Rgb> colour = is_gather() ? paint_read(step, dense_place) : paint_write(step);
    for (const IndexRead& read : step.reads) paint_index(read, step, colour);
    if (step.fate == Fate::kMasked) {
      Sheet& mask = sheet_of(*job_.mask);
      mask.cell(mask.place(address_of(*job_.mask, dot(step.at, *plan_.mask_stride)))).marks.insert(Mark::kMasked);
    }
  }

  void mark(Cell& cell, const Step& step) const {
    for (const IndexRead& read : step.reads) add_marks(read, cell.marks);
    if (step.fate != Fate::kDone) cell.marks.insert(mark_of(step.fate));
  }

  std::optional<Rgb> paint_read(const Step& step, Index place) {
    Cell& to = result_sheet_->cell(place);
    const std::string here = result_sheet_->full_name(place);
    mark(to, step);
    if (step.fate != Fate::kDone) {
      to.note = short_word(step.fate);
      to.tip = fmt::format("{} is {}: {}", here, to.value, short_word(step.fate));
      return std::nullopt;
    }
    Sheet& from = sheet_of(*job_.operand);
    const Index source = from.place(address_of(*job_.operand, step.indexed));
    from.paint(source, from.colour(source));
    result_sheet_->paint(place, from.colour(source));
    to.note = fmt::format("←{}", from.short_name(source));
    to.tip = fmt::format("{} = {}", here, from.full_name(source));
    return from.colour(source);
  }

  std::optional<Rgb> paint_write(const Step& step) {
    Sheet& from = sheet_of(*job_.updates);
    const Index source = from.place(address_of(*job_.updates, step.dense));
    Cell& cell = from.cell(source);
    mark(cell, step);
    if (step.fate != Fate::kDone) {
      cell.note = short_word(step.fate);
      cell.tip = fmt::format("{} is not written: {}", from.full_name(source), short_word(step.fate));
      return std::nullopt;
    }
    const Index target = dot(step.position, row_major(job_.result_shape));
    from.paint(source, from.colour(source));
    from.link(source, result_sheet_->short_name(target));
    cell.tip = fmt::format("{} goes to {}", from.full_name(source), result_sheet_->full_name(target));
    arrivals_[target].push_back(source);
    return from.colour(source);
  }

  void paint_index(const IndexRead& read, const Step& step, const std::optional<Rgb>& colour) {
    const View& view = job_.indices[read.term];
    Sheet& sheet = sheet_of(view);
    const Index place = sheet.place(address_of(view, read.element));
    Cell& cell = sheet.cell(place);
    add_marks(read, cell.marks);
    // An index that serves a whole row takes the colour of its first element.
    if (colour && cell.colours.empty()) cell.colours = {*colour};
    if (read.outside) {
      cell.marks.insert(mark_of(step.fate));
      cell.note = "outside";
      cell.tip = fmt::format("{} is {}: out of range", sheet.full_name(place), cell.value);
    } else if (read.wrapped || read.clamped || read.folded) {
      cell.note = fmt::format("→{}", read.used);
      cell.tip = fmt::format("{} is {}, read as {}", sheet.full_name(place), cell.value, read.used);
    }
  }

  // ---- a scatter's targets ----

  std::string arrivals_note(const std::vector<Index>& from, const Sheet& updates) const {
    if (from.size() == 1) return fmt::format("←{}", updates.short_name(from.front()));
    if (plan_.combine == Combine::kAssign) return fmt::format("last of {}", from.size());
    return fmt::format("{}x {}", from.size(), name(plan_.combine));
  }

  void finish_targets() {
    Sheet& updates = sheet_of(*job_.updates);
    for (const auto& [target, from] : arrivals_) {
      Cell& cell = result_sheet_->cell(target);
      std::vector<std::string> names;
      for (const Index source : from) names.push_back(updates.full_name(source));
      cell.note = arrivals_note(from, updates);
      cell.tip = fmt::format("{} {} {}", result_sheet_->full_name(target), name(plan_.combine), fmt::join(names, ", "));
      if (from.size() > 1) cell.marks.insert(Mark::kSeveral);
      // What is stored shows its own colour only; what is combined shows all.
      const bool stores = plan_.combine == Combine::kAssign;
      for (const Index source : stores ? std::vector{from.back()} : from)
        result_sheet_->paint(target, updates.colour(source));
    }
  }

  // ---- the end ----

  void collect() {
    for (Sheet& sheet : sheets_) scene_.panels.push_back(std::move(sheet).finish());
    if (before_) scene_.panels.push_back(Sheet("before", *before_).finish());
    scene_.panels.push_back(std::move(*result_sheet_).finish());
    scene_.panels.back().is_result = true;
    if (!is_gather() && !job_.operand) scene_.notes.emplace_back("result starts as zeros");
    if (!job_.more_operands.empty())
      scene_.notes.push_back(fmt::format("{} more operands change at the same places", job_.more_operands.size()));
  }

  const GivenTensors& given_;
  const Job& job_;
  const IndexPlan& plan_;
  const std::vector<Step>& steps_;
  Scene& scene_;
  std::list<Sheet> sheets_;
  Tensor result_;
  std::optional<Tensor> before_;
  std::optional<Sheet> result_sheet_;
  std::map<Index, std::vector<Index>> arrivals_;  // at a place of the result: places of the updates, in order
};

}  // namespace

Status check_room(const Job& job, const GivenTensors& given) {
  GARNER_TRY(check_drawable(job.op, "result", job.result_shape));
  GARNER_TRY(check_drawable(job.op, "the walk", job.plan.domain));
  return for_each_shown(job, given, [&](const View& view, const std::string& name) {
    return check_drawable(job.op, name, view.shape());
  });
}

Status paint_panels(const GivenTensors& given, Scene& scene) { return Painter(given, scene).paint(); }

}  // namespace garner
