// Functions of Python that C++ calls: what they return, with its shape, and how long they live.
#pragma once
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

// A Python object that may be let go of by a thread without the lock.
std::shared_ptr<py::object> shared(const py::object& object);

// Writes an answer of the shape; refuses another one, with the lock.
void write(const py::object& answer, const Shape& shape, double* out);

}  // namespace raak_python
