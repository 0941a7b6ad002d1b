// Functions of Python that C++ calls: what they return, with its shape, and how long they live.
#pragma once
#include <array>

#include "bindings.h"

namespace raak_python {

struct Shape {
  std::string name;                // of the function, for messages
  std::vector<py::ssize_t> sizes;  // of what it returns; none: one number
  bool of_velocities = false;

  py::ssize_t count() const {
    py::ssize_t count = 1;
    for (const py::ssize_t size : sizes) count *= size;
    return count;
  }
};

// Something of Python that may be let go of by a thread without the lock.
template <class Thing>
std::shared_ptr<Thing> shared(Thing thing) {
  return {new Thing(std::move(thing)), [](Thing* kept) {
            if (Py_IsInitialized() == 0) return;
            const py::gil_scoped_acquire lock;
            delete kept;
          }};
}

// The address of a compiled function, an integer that keeps alive what its code belongs to; null: it is no integer.
template <class Function>
Function compiled_of(const py::object& function) {
  if (!py::isinstance<py::int_>(function)) return nullptr;
  return reinterpret_cast<Function>(function.cast<std::uintptr_t>());
}

// An array that a function is called with: the same each time, unless somebody has kept it.
class Argument {
 public:
  py::object of(const double* values, py::ssize_t count);

 private:
  py::array_t<double> array_;
};

// With the lock; throws what the function raises.
template <class... Arguments>
py::object call(const py::object& function, const Arguments&... arguments) {
  const std::array pointers{arguments.ptr()...};
  PyObject* const answer = PyObject_Vectorcall(function.ptr(), pointers.data(), pointers.size(), nullptr);
  if (answer == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(answer);
}

// Writes an answer of the shape; refuses another one, with the lock.
void write(const py::object& answer, const Shape& shape, double* out);

}  // namespace raak_python
