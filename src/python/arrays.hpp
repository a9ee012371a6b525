/// Between arrays of NumPy and values of the engine.
#pragma once

#include <cstddef>
#include <pybind11/numpy.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scree/core/error.hpp"
#include "scree/core/ids.hpp"
#include "scree/math/quaternion.hpp"
#include "scree/math/vec3.hpp"

namespace scree::python {

namespace py = pybind11;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A shape in words, such as (3, 2).
std::string shape_of(const py::array& array);

/// Rows of `Columns` numbers: an array of shape (rows, Columns), or (Columns,) for all rows alike.
template <py::ssize_t Columns>
class Rows {
 public:
  /// Throws InputError with the name of the argument if the shape is another.
  Rows(const Doubles& array, const char* name, std::size_t rows) : array_(array) {
    const bool alike = array.ndim() == 1 && array.shape(0) == Columns;
    const bool each = array.ndim() == 2 && array.shape(1) == Columns &&
                      array.shape(0) == static_cast<py::ssize_t>(rows);
    if (!alike && !each)
      throw InputError(std::string(name) + " has the shape " + shape_of(array) + "; it must be (" +
                       std::to_string(Columns) + ",) or (" + std::to_string(rows) + ", " +
                       std::to_string(Columns) + ")");
    stride_ = alike ? 0 : Columns;
  }
  const double* operator[](std::size_t row) const {
    return array_.data() + stride_ * static_cast<py::ssize_t>(row);
  }

 private:
  Doubles array_;
  py::ssize_t stride_;
};

inline Vec3 vec3_of(const double* row) { return {row[0], row[1], row[2]}; }
/// Of an argument of shape (3,); throws InputError with its name.
Vec3 vec3_of(const Doubles& array, const char* name);
/// (w, x, y, z), normalised unless it has no length.
Quaternion quaternion_of(const double* row);

/// A copy, of shape (3,) or (4,).
py::array_t<double> array_of(const Vec3& v);
py::array_t<double> array_of(const Quaternion& q);

/// Ids of an argument: a whole number, or an array of them of one dimension.
std::vector<BodyId> ids_of(const py::object& argument);

/// An array without a copy of what is in `values`, to read only; `owner` keeps it alive.
template <class T>
py::array view_of(std::span<const T> values, const py::object& owner) {
  const auto rows = static_cast<py::ssize_t>(values.size());
  std::vector<py::ssize_t> shape{rows}, strides{sizeof(T)};
  const auto of = [&](const py::dtype& type, py::ssize_t columns) {
    if (columns > 1) {
      shape.push_back(columns);
      strides.push_back(type.itemsize());
    }
    py::array array(type, shape, strides, values.data(), owner);
    array.attr("setflags")(py::arg("write") = false);
    return array;
  };
  if constexpr (std::is_same_v<T, Vec3>)
    return of(py::dtype::of<double>(), 3);
  else if constexpr (std::is_same_v<T, Quaternion>)
    return of(py::dtype::of<double>(), 4);
  else if constexpr (std::is_same_v<T, BodyId>)
    return of(py::dtype::of<std::uint64_t>(), 1);
  else
    return of(py::dtype::of<T>(), 1);
}

/// What a Python object keeps until it is gone.
template <class T>
py::capsule owner_of(T&& value) {
  using Value = std::remove_cvref_t<T>;
  return {new Value(std::forward<T>(value)), [](void* p) { delete static_cast<Value*>(p); }};
}

/// An array of what a vector holds, which it takes over.
template <class Vector>
py::array array_of_own(Vector&& vector) {
  auto* kept = new std::remove_cvref_t<Vector>(std::forward<Vector>(vector));
  const py::capsule owner(kept,
                          [](void* p) { delete static_cast<std::remove_cvref_t<Vector>*>(p); });
  using Value = typename std::remove_cvref_t<Vector>::value_type;
  return view_of(std::span<const Value>(*kept), owner);
}

}  // namespace scree::python
