// Errors of the library as the exceptions of raak/errors.py, with the same words and places.
#include "bindings.h"

namespace raak_python {
namespace {

void raise(const char* type, const py::tuple& arguments) {
  const py::object exception = py::module_::import("raak.errors").attr(type)(*arguments);
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

py::object partial_of(const raak::SolveError& error) {
  return error.partial() != nullptr ? py::cast(*error.partial()) : py::none();
}

}  // namespace

void bind_errors(py::module_& /*module*/) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const raak::ModelError& error) {
      raise("ModelError", py::make_tuple(error.what(), error.file(), error.line(), error.column()));
    } catch (const raak::AssemblyError& error) {
      py::list open;
      for (const raak::OpenJoint& joint : error.open()) open.append(py::make_tuple(joint.name, joint.gap, joint.unit));
      raise("AssemblyError", py::make_tuple(error.what(), error.advice(), open));
    } catch (const raak::SolveError& error) {
      raise("SolveError", py::make_tuple(error.what(), error.time(), error.cause(), error.advice(), partial_of(error)));
    } catch (const raak::RequestError& error) {
      raise("RequestError", py::make_tuple(error.what()));
    } catch (const raak::Error& error) {
      raise("Error", py::make_tuple(error.what()));
    }
  });
}

}  // namespace raak_python
