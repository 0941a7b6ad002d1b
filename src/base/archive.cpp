#include "base/archive.h"

#include "base/error.h"

namespace raak {

void Archive::require(bool sound) const {
  if (!sound) throw Error(ErrorKind::request, "the checkpoint is damaged: its parts do not fit each other");
}

void Archive::copy(void* memory, std::size_t size) {
  if (size == 0) return;
  if (loading_) {
    require(size <= bytes_.size() - at_);
    std::memcpy(memory, bytes_.data() + at_, size);
    at_ += size;
  } else {
    bytes_.append(static_cast<const char*>(memory), size);
  }
}

void Archive::name(std::string_view name) {
  std::string found(name);
  visit_value(found);
  require(found == name);
}

}  // namespace raak
