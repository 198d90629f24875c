// What the garner command loads where a launcher of this MPI has started it: the command itself links none.
#include <garner/mpi.h>

namespace {

using namespace garner;

/// From MPI_Init to MPI_Finalize.
class Session : public Ranks {
 public:
  explicit Session(std::shared_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() override {
    ranks_.reset();
    MPI_Finalize();
  }
  int rank() const override { return ranks_->rank(); }
  int size() const override { return ranks_->size(); }
  double timeout() const override { return ranks_->timeout(); }
  Result<std::unique_ptr<Transfer>> start(Messages messages) override { return ranks_->start(std::move(messages)); }

 private:
  std::shared_ptr<Ranks> ranks_;
};

}  // namespace

/// All processes the launcher has started; the caller deletes it. Null: *status says why.
extern "C" Ranks* garner_ranks_start(double timeout, Status* status) {
  if (const int error = MPI_Init(nullptr, nullptr); error != MPI_SUCCESS) {
    *status = mpi::detail::failed("MPI_Init", error);
    return nullptr;
  }
  auto ranks = mpi::try_ranks(MPI_COMM_WORLD, {.timeout = timeout});
  *status = ranks.status();
  return ranks.ok() ? new Session(*std::move(ranks)) : nullptr;
}

extern "C" void garner_ranks_abort(int code) { mpi::end_all(code); }
