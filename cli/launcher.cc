#include "cli/launcher.h"

#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/fail.h"

namespace garner::cli {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The MPI whose launcher has set the environment; none: this process runs alone.
std::string mpi_of_launcher() {
  if (const std::string named = variable("GARNER_MPI"); !named.empty()) return named;
  if (!variable("OMPI_COMM_WORLD_SIZE").empty()) return "openmpi";
  if (!variable("PMI_SIZE").empty()) return "mpich";
  return "";
}

/// Beside the command, as built, or in lib/garner, as installed.
fs::path plugin_of(const std::string& mpi) {
  std::error_code ignored;
  const fs::path here = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const std::string name = "garner_ranks_" + mpi + ".so";
  for (const fs::path& folder : {here, here.parent_path() / GARNER_LIBDIR / "garner"})
    if (fs::exists(folder / name, ignored)) return folder / name;
  return name;
}

Result<double> timeout() {
  const std::string text = variable("GARNER_TIMEOUT");
  double seconds = 300;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (text.empty() || (error == std::errc{} && end == text.data() + text.size() && seconds >= 0)) return seconds;
  return fail(Code::kInvalidArgument, "RK7", "ranks: GARNER_TIMEOUT is '{}', allowed seconds, 0 (never) or more", text);
}

template <class F>
F* symbol(void* library, const char* name) {
  return reinterpret_cast<F*>(::dlsym(library, name));
}

Result<Launched> load(const std::string& mpi, double seconds) {
  // Open MPI loads parts of its own, which look for its symbols among the global ones.
  void* library = ::dlopen(plugin_of(mpi).c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr)
    return fail(Code::kUnsupported, "RK7", "ranks: no part of garner for the launcher's MPI, {}: {}", mpi, ::dlerror());
  auto* start = symbol<Ranks*(double, Status*)>(library, "garner_ranks_start");
  auto* abort = symbol<void(int)>(library, "garner_ranks_abort");
  if (start == nullptr || abort == nullptr)
    return fail(Code::kUnsupported, "RK7", "ranks: {} is no part of garner", plugin_of(mpi).string());
  Status status;
  std::shared_ptr<Ranks> ranks(start(seconds, &status));
  GARNER_TRY(status);
  return Launched{std::move(ranks), abort};
}

}  // namespace

Result<Launched> launched() {
  const std::string mpi = mpi_of_launcher();
  if (mpi.empty()) return Launched{};
  GARNER_ASSIGN(const double seconds, timeout());
  return load(mpi, seconds);
}

}  // namespace garner::cli
