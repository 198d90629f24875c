// Arrays on a device are looked at by kernels alone: every call of every case, on arguments that nobody on the CPU may
// read. Runs without a device; what then comes out is an error, but never a read.
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csetjmp>
#include <csignal>
#include <set>

#include "conformance/case_file.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::conformance {
namespace {

sigjmp_buf back;
void jump_back(int) { siglongjmp(back, 1); }

/// Memory that may not be read, in pieces.
class Forbidden {
 public:
  Forbidden() : memory_(mmap(nullptr, kBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    struct sigaction action{};
    action.sa_handler = jump_back;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGSEGV, &action, &segv_);
    sigaction(SIGBUS, &action, &bus_);
  }
  ~Forbidden() {
    sigaction(SIGSEGV, &segv_, nullptr);
    sigaction(SIGBUS, &bus_, nullptr);
    munmap(memory_, kBytes);
  }
  Forbidden(const Forbidden&) = delete;
  Forbidden& operator=(const Forbidden&) = delete;

  /// A view of the same dtype, shape and strides, on a device.
  View like(const View& view) {
    const auto* data = static_cast<const char*>(memory_) + kPiece * (1 + next_++ % (kBytes / kPiece - 2));
    return View(view.dtype(), view.elements() == 0 ? nullptr : data, view.shape(), view.stride())
        .on({DeviceKind::kCuda, 0});
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{1} << 30, kPiece = std::size_t{1} << 20;
  void* memory_;
  std::size_t next_ = 0;
  struct sigaction segv_{}, bus_{};
};

Value moved(const Value& value, Forbidden& forbidden) {
  if (const auto memory = value.memory()) return Value{forbidden.like(*memory)};
  const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (list == nullptr) return value;
  auto out = std::make_shared<Values>();
  for (const Value& item : **list) out->push_back(moved(item, forbidden));
  return Value{std::move(out)};
}

/// Without a device there is no result, only an error of one kind or the other.
void look_at(const Call& call) {
  try {
    static_cast<void>(evaluate(call).ok());
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch)
  }
}

TEST(Placement, NobodyOnTheCpuReadsADevicesMemory) {
  Forbidden forbidden;
  std::set<std::string> readers;
  for (const Case& c : all_cases()) {
    auto call = parse_call(c.call, c.names);
    if (!call.ok()) continue;
    for (CallArgument& argument : call->arguments) argument.value = moved(argument.value, forbidden);
    // What a reader leaves behind is lost with the jump; the test has failed by then.
    if (sigsetjmp(back, 1) != 0) readers.insert(call->dialect + "." + call->op);
    else look_at(*call);
  }
  EXPECT_TRUE(readers.empty()) << fmt::format("{}", fmt::join(readers, " "));
}

}  // namespace
}  // namespace garner::conformance
