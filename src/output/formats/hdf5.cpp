#include "output/formats/hdf5.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "output/folder/own_name.h"
#include "output/folder/partial_file.h"

namespace raak {
namespace {

using Id = std::int64_t;  // hid_t since 1.10

// What H5public.h, H5Fpublic.h and H5Tpublic.h define.
constexpr Id by_default = 0, everything = 0;
constexpr unsigned read_only = 0, only_new = 4;
constexpr int scalar = 0, utf8 = 1, select_set = 0;

}  // namespace

// The functions of the library that we call, found by name.
class Hdf5Library {
 public:
  // Null where there is none.
  static const Hdf5Library* find() {
    static const std::unique_ptr<const Hdf5Library> found = open_any();
    return found.get();
  }

  template <class Function>
  Function* function(const char* name) const {
    void* const symbol = dlsym(library_, name);
    if (symbol == nullptr) refuse(fmt::format("the HDF5 library here has no {}: it is too old or too new", name));
    return reinterpret_cast<Function*>(symbol);
  }
  // A predefined type: a variable of the library that holds its number.
  Id type(const char* name) const { return *function<Id>(name); }

 private:
  explicit Hdf5Library(void* library) : library_(library) {}

  static std::unique_ptr<const Hdf5Library> open_any() {
    const char* const named = std::getenv("RAAK_HDF5");
    std::vector<std::string> names;
    if (named != nullptr && *named != '\0') {
      names = {named};
    } else {
      for (const char* stem : {"libhdf5_serial.so", "libhdf5.so", "libhdf5_openmpi.so", "libhdf5_mpich.so"})
        for (const char* version : {".103", ".200", ".310", ""}) names.push_back(std::string(stem) + version);
    }
    for (const std::string& name : names) {
      void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library == nullptr) continue;
      auto made = std::unique_ptr<const Hdf5Library>(new Hdf5Library(library));
      // Before any other call: see Hdf5File::Handle.
      if (const auto stay = reinterpret_cast<int (*)()>(dlsym(library, "H5dont_atexit")); stay != nullptr) stay();
      const auto version =
          reinterpret_cast<int (*)(unsigned*, unsigned*, unsigned*)>(dlsym(library, "H5get_libversion"));
      unsigned major = 0, minor = 0, release = 0;
      if (version != nullptr && version(&major, &minor, &release) >= 0 && (major > 1 || minor >= 10)) {
        made->function<int()>("H5open")();
        // We report errors ourselves.
        made->function<int(Id, void*, void*)>("H5Eset_auto2")(by_default, nullptr, nullptr);
        return made;
      }
    }
    return nullptr;
  }

  void* library_;
};

namespace {

const Hdf5Library& library() {
  require_hdf5();
  return *Hdf5Library::find();
}

Id text_type(const Hdf5Library& h5, std::size_t size) {
  const Id type = h5.function<Id(Id)>("H5Tcopy")(h5.type("H5T_C_S1_g"));
  h5.function<int(Id, std::size_t)>("H5Tset_size")(type, std::max<std::size_t>(size, 1));
  h5.function<int(Id, int)>("H5Tset_cset")(type, utf8);
  return type;
}

// A slash would make a group.
std::string safe(std::string name) {
  std::replace(name.begin(), name.end(), '/', '|');
  return name;
}

}  // namespace

bool has_hdf5() {
  return Hdf5Library::find() != nullptr;
}

void require_hdf5() {
  if (!has_hdf5())
    refuse(
        "HDF5 needs its library, version 1.10 or later, and there is none here: apt-get install libhdf5-103-1, or name "
        "it "
        "in RAAK_HDF5");
}

// A file that cannot be brought to the disk stays open in the library, which would try again when the program ends, and
// crash (1.10): it does nothing then (H5dont_atexit).
struct Hdf5File::Handle {
  const Hdf5Library& h5;
  Id file;

  Handle(const Hdf5Library& of, Id opened) : h5(of), file(opened) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { close(); }

  bool close() {
    errno = 0;
    return file < 0 || h5.function<int(Id)>("H5Fclose")(std::exchange(file, -1)) >= 0;
  }
};

namespace {

// What the library may hold open takes no room any more.
void remove_partial(const std::filesystem::path& path) {
  const std::string name = partial_path(path).string();
  if (truncate(name.c_str(), 0) == 0 || errno != ENOENT) unlink(name.c_str());
}

}  // namespace

void Hdf5File::refuse_to_go_on(const std::string& what) const {
  const int code = errno;
  for (const int known : {ENOSPC, EFBIG, EDQUOT, EIO})
    if (code == known) refuse_writing(path_, code);
  refuse(fmt::format("cannot write \"{}\"{}{}", named_file(path_).string(), what.empty() ? "" : ": HDF5 does not take ",
                     what));
}

Hdf5File::Hdf5File(std::filesystem::path path) : path_(std::move(path)) {
  const Hdf5Library& h5 = library();
  const std::string name = partial_path(path_).string();
  unlink(name.c_str());
  const Id file =
      h5.function<Id(const char*, unsigned, Id, Id)>("H5Fcreate")(name.c_str(), only_new, by_default, by_default);
  if (file < 0) refuse(fmt::format("cannot write \"{}\": HDF5 could not make the file", named_file(path_).string()));
  handle_ = std::make_unique<Handle>(h5, file);
}

Hdf5File::~Hdf5File() {
  if (!handle_) return;
  handle_.reset();
  remove_partial(path_);
}

void Hdf5File::add(const std::string& name, std::span<const double> values, const std::string& unit) {
  begin(name, values.size(), unit);
  put(name, 0, values);
}

void Hdf5File::begin(const std::string& name, std::size_t size, const std::string& unit) {
  const Hdf5Library& h5 = handle_->h5;
  errno = 0;
  const std::uint64_t count = size;
  const Id space =
      h5.function<Id(int, const std::uint64_t*, const std::uint64_t*)>("H5Screate_simple")(1, &count, nullptr);
  const Id set = h5.function<Id(Id, const char*, Id, Id, Id, Id, Id)>("H5Dcreate2")(
      handle_->file, safe(name).c_str(), h5.type("H5T_IEEE_F64LE_g"), space, by_default, by_default, by_default);
  if (set < 0) refuse_to_go_on(name);
  const Id one = h5.function<Id(int)>("H5Screate")(scalar);
  const Id type = text_type(h5, unit.size());
  const Id attribute =
      h5.function<Id(Id, const char*, Id, Id, Id, Id)>("H5Acreate2")(set, "units", type, one, by_default, by_default);
  h5.function<int(Id, Id, const void*)>("H5Awrite")(attribute, type, unit.c_str());
  h5.function<int(Id)>("H5Aclose")(attribute);
  h5.function<int(Id)>("H5Tclose")(type);
  for (const Id made : {one, space}) h5.function<int(Id)>("H5Sclose")(made);
  h5.function<int(Id)>("H5Dclose")(set);
}

void Hdf5File::put(const std::string& name, std::size_t first, std::span<const double> values) {
  if (values.empty()) return;
  const Hdf5Library& h5 = handle_->h5;
  errno = 0;
  const std::uint64_t from = first, count = values.size();
  const Id set = h5.function<Id(Id, const char*, Id)>("H5Dopen2")(handle_->file, safe(name).c_str(), by_default);
  int written = -1;
  if (set >= 0) {
    const Id there = h5.function<Id(Id)>("H5Dget_space")(set);
    const Id here =
        h5.function<Id(int, const std::uint64_t*, const std::uint64_t*)>("H5Screate_simple")(1, &count, nullptr);
    h5.function<int(Id, int, const std::uint64_t*, const std::uint64_t*, const std::uint64_t*, const std::uint64_t*)>(
        "H5Sselect_hyperslab")(there, select_set, &from, nullptr, &count, nullptr);
    written = h5.function<int(Id, Id, Id, Id, Id, const void*)>("H5Dwrite")(set, h5.type("H5T_NATIVE_DOUBLE_g"), here,
                                                                            there, by_default, values.data());
    for (const Id made : {here, there}) h5.function<int(Id)>("H5Sclose")(made);
    written = std::min(written, h5.function<int(Id)>("H5Dclose")(set));
  }
  if (written < 0) refuse_to_go_on(name);
}

void Hdf5File::add(const std::string& name, const std::string& text) {
  const Hdf5Library& h5 = handle_->h5;
  errno = 0;
  const Id one = h5.function<Id(int)>("H5Screate")(scalar);
  const Id type = text_type(h5, text.size());
  const Id set = h5.function<Id(Id, const char*, Id, Id, Id, Id, Id)>("H5Dcreate2")(
      handle_->file, safe(name).c_str(), type, one, by_default, by_default, by_default);
  const int written = set < 0 ? -1
                              : h5.function<int(Id, Id, Id, Id, Id, const void*)>("H5Dwrite")(
                                    set, type, everything, everything, by_default, text.c_str());
  if (written < 0) refuse_to_go_on(name);
  h5.function<int(Id)>("H5Dclose")(set);
  h5.function<int(Id)>("H5Tclose")(type);
  h5.function<int(Id)>("H5Sclose")(one);
}

void Hdf5File::seal() {
  const std::string partial = partial_path(path_).string();
  const int descriptor = handle_->close() ? open(partial.c_str(), O_RDONLY | O_CLOEXEC) : -1;
  const bool arrived = descriptor >= 0 && fsync(descriptor) == 0;
  const int code = errno;
  if (descriptor >= 0) close(descriptor);
  handle_.reset();
  if (arrived) return;
  remove_partial(path_);
  errno = code;
  refuse_to_go_on("");
}

std::vector<double> read_hdf5(const std::filesystem::path& path, const std::string& name) {
  const Hdf5Library& h5 = library();
  const Id file = h5.function<Id(const char*, unsigned, Id)>("H5Fopen")(path.c_str(), read_only, by_default);
  if (file < 0) refuse(fmt::format("\"{}\" is no HDF5 file", path.string()));
  const Id set = h5.function<Id(Id, const char*, Id)>("H5Dopen2")(file, safe(name).c_str(), by_default);
  std::vector<double> values;
  int read = -1;
  if (set >= 0) {
    const Id space = h5.function<Id(Id)>("H5Dget_space")(set);
    const std::int64_t count = h5.function<std::int64_t(Id)>("H5Sget_simple_extent_npoints")(space);
    values.resize(static_cast<std::size_t>(std::max<std::int64_t>(count, 0)));
    read = h5.function<int(Id, Id, Id, Id, Id, void*)>("H5Dread")(set, h5.type("H5T_NATIVE_DOUBLE_g"), everything,
                                                                  everything, by_default, values.data());
    h5.function<int(Id)>("H5Sclose")(space);
    h5.function<int(Id)>("H5Dclose")(set);
  }
  h5.function<int(Id)>("H5Fclose")(file);
  if (read < 0) refuse(fmt::format("\"{}\" has no numbers called \"{}\"", path.string(), name));
  return values;
}

}  // namespace raak
