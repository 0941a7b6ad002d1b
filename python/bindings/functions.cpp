#include "functions.h"

namespace raak_python {
namespace {

std::string text_of(const std::vector<py::ssize_t>& sizes) {
  std::string text;
  for (const py::ssize_t size : sizes) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return "(" + text + (sizes.size() == 1 ? ",)" : ")");
}

// Lists of numbers, which are read faster than an array is made of them; false: it is no such list, or another size.
bool write_list(PyObject* list, const py::ssize_t* sizes, std::size_t dimensions, double*& out) {
  if (dimensions == 0) {
    if (PyFloat_CheckExact(list)) *out++ = PyFloat_AS_DOUBLE(list);
    else if (PyLong_CheckExact(list)) *out++ = PyLong_AsDouble(list);
    else return false;
    return true;
  }
  if (!(PyList_CheckExact(list) || PyTuple_CheckExact(list)) || PySequence_Fast_GET_SIZE(list) != sizes[0])
    return false;
  for (py::ssize_t i = 0; i < sizes[0]; ++i)
    if (!write_list(PySequence_Fast_GET_ITEM(list, i), sizes + 1, dimensions - 1, out)) return false;
  return true;
}

}  // namespace

py::object Argument::of(const double* values, py::ssize_t count) {
  const bool is_free = array_.ref_count() == 1 && array_.ndim() == 1 && array_.shape(0) == count &&
                       array_.strides(0) == static_cast<py::ssize_t>(sizeof(double)) && array_.writeable() &&
                       py::isinstance<py::array_t<double>>(array_);
  if (is_free) std::copy_n(values, count, array_.mutable_data());
  else array_ = py::array_t<double>(count, values);
  return array_;
}

void write(const py::object& answer, const Shape& shape, double* out) {
  double* written = out;
  if (write_list(answer.ptr(), shape.sizes.data(), shape.sizes.size(), written) && PyErr_Occurred() == nullptr) return;
  PyErr_Clear();
  if (answer.is_none())
    throw py::type_error(shape.name + " returned None, expected an array of numbers of shape " + text_of(shape.sizes) +
                         ": is its return missing?");
  if (!py::isinstance<py::array_t<double>>(answer)) {
    const auto any = py::array::ensure(answer);
    if (any && any.dtype().kind() == 'c')
      throw py::type_error(shape.name + " returned complex numbers, expected real ones of shape " +
                           text_of(shape.sizes) + ": give it their real parts if these are meant");
    PyErr_Clear();
  }
  const auto array = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(answer);
  if (!array) {
    PyErr_Clear();
    throw py::type_error(shape.name + " returned " + py::repr(answer).cast<std::string>() +
                         ", expected an array of numbers of shape " + text_of(shape.sizes));
  }
  const std::vector<py::ssize_t> found(array.shape(), array.shape() + array.ndim());
  if (found != shape.sizes && !(shape.sizes.empty() && array.size() == 1))
    throw py::value_error(shape.name + " returned an array of shape " + text_of(found) + ", expected " +
                          text_of(shape.sizes));
  std::copy_n(array.data(), shape.count(), out);
}

}  // namespace raak_python
