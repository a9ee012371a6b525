/// Conversions between arrays of NumPy and values of the engine.
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

using DoublesBase = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Array of real numbers from an argument: see doubles_of(), which the caster below calls.
class Doubles : public DoublesBase {
 public:
  using DoublesBase::DoublesBase;
};

/// Array of an argument. Throws TypeError for complex numbers, texts and objects, which NumPy would
/// convert in silence.
Doubles doubles_of(py::handle argument);

/// Text of a shape, such as (3, 2).
std::string shape_of(const py::array& array);

/// Rows of `Columns` numbers: an array of shape (rows, Columns), or (Columns,) for equal rows.
template <py::ssize_t Columns>
class Rows {
 public:
  /// Throws InputError with the name of the argument if the shape is wrong.
  Rows(const Doubles& array, const char* name, std::size_t rows) : array_(array) {
    const bool same = array.ndim() == 1 && array.shape(0) == Columns;
    const bool each = array.ndim() == 2 && array.shape(1) == Columns &&
                      array.shape(0) == static_cast<py::ssize_t>(rows);
    if (!same && !each)
      throw InputError(std::string(name) + " has the shape " + shape_of(array) + "; it must be (" +
                       std::to_string(Columns) + ",) or (" + std::to_string(rows) + ", " +
                       std::to_string(Columns) + ")");
    stride_ = same ? 0 : Columns;
  }
  const double* operator[](std::size_t row) const {
    return array_.data() + stride_ * static_cast<py::ssize_t>(row);
  }

 private:
  Doubles array_;
  py::ssize_t stride_;
};

inline Vec3 vec3_of(const double* row) { return {row[0], row[1], row[2]}; }
/// Vector from an argument of shape (3,); throws InputError with its name.
Vec3 vec3_of(const Doubles& array, const char* name);
/// Quaternion from (w, x, y, z), normalised unless its length is 0.
Quaternion quaternion_of(const double* row);

/// A copy, of shape (3,) or (4,).
py::array_t<double> array_of(const Vec3& v);
py::array_t<double> array_of(const Quaternion& q);

/// Ids from an argument: an integer, or a one-dimensional array of integers.
std::vector<BodyId> ids_of(const py::object& argument);

/// Read-only array over `values`, without a copy; `owner` keeps the memory alive.
template <class T>
py::array view_of(std::span<const T> values, const py::object& owner) {
  const auto rows = static_cast<py::ssize_t>(values.size());
  std::vector<py::ssize_t> shape{rows}, strides{sizeof(T)};
  const auto make = [&](const py::dtype& type, py::ssize_t columns) {
    if (columns > 1) {
      shape.push_back(columns);
      strides.push_back(type.itemsize());
    }
    py::array array(type, shape, strides, values.data(), owner);
    array.attr("setflags")(py::arg("write") = false);
    return array;
  };
  if constexpr (std::is_same_v<T, Vec3>)
    return make(py::dtype::of<double>(), 3);
  else if constexpr (std::is_same_v<T, Quaternion>)
    return make(py::dtype::of<double>(), 4);
  else if constexpr (std::is_same_v<T, BodyId>)
    return make(py::dtype::of<std::uint64_t>(), 1);
  else
    return make(py::dtype::of<T>(), 1);
}

/// Python object that owns a value.
template <class T>
py::capsule owner_of(T&& value) {
  using Value = std::remove_cvref_t<T>;
  return {new Value(std::forward<T>(value)), [](void* p) { delete static_cast<Value*>(p); }};
}

/// Read-only array that owns the elements of a vector, without a copy.
template <class Vector>
py::array array_of_own(Vector&& vector) {
  auto* owned = new std::remove_cvref_t<Vector>(std::forward<Vector>(vector));
  const py::capsule owner(owned,
                          [](void* p) { delete static_cast<std::remove_cvref_t<Vector>*>(p); });
  using Value = typename std::remove_cvref_t<Vector>::value_type;
  return view_of(std::span<const Value>(*owned), owner);
}

}  // namespace scree::python

namespace pybind11::detail {

template <>
struct type_caster<scree::python::Doubles> {
  PYBIND11_TYPE_CASTER(scree::python::Doubles, handle_type_name<scree::python::DoublesBase>::name);

  bool load(handle source, bool /*convert*/) {
    value = scree::python::doubles_of(source);
    return true;
  }
  static handle cast(const scree::python::Doubles& from, return_value_policy /*policy*/,
                     handle /*parent*/) {
    return handle(from).inc_ref();
  }
};

}  // namespace pybind11::detail
