#include "python/arrays.hpp"

#include <string_view>

namespace scree::python {

Doubles doubles_of(py::handle argument) {
  const py::array given = py::array::ensure(argument);
  if (!given) throw py::type_error("an argument is no array of numbers");
  constexpr std::string_view kReal = "biuf";  // kinds of NumPy's types
  if (kReal.find(given.dtype().kind()) == std::string_view::npos)
    throw py::type_error("an argument has values of the type " +
                         py::cast<std::string>(py::str(given.dtype())) +
                         "; real numbers are needed");
  return Doubles(given);
}

std::string shape_of(const py::array& array) {
  std::string shape = "(";
  for (py::ssize_t k = 0; k < array.ndim(); ++k)
    shape += (k > 0 ? ", " : "") + std::to_string(array.shape(k));
  return shape + (array.ndim() == 1 ? ",)" : ")");
}

Vec3 vec3_of(const Doubles& array, const char* name) {
  if (array.ndim() != 1 || array.shape(0) != 3)
    throw InputError(std::string(name) + " has the shape " + shape_of(array) + "; it must be (3,)");
  return vec3_of(array.data());
}

Quaternion quaternion_of(const double* row) {
  const Quaternion q{row[0], row[1], row[2], row[3]};
  return norm(q) > 0 ? normalised(q) : q;
}

py::array_t<double> array_of(const Vec3& v) {
  py::array_t<double> array(3);
  for (int axis = 0; axis < 3; ++axis) array.mutable_at(axis) = v[axis];
  return array;
}

py::array_t<double> array_of(const Quaternion& q) {
  py::array_t<double> array(4);
  const double numbers[] = {q.w, q.x, q.y, q.z};
  for (int k = 0; k < 4; ++k) array.mutable_at(k) = numbers[k];
  return array;
}

std::vector<BodyId> ids_of(const py::object& argument) {
  const py::array array = py::array::ensure(argument);
  if (!array) throw py::error_already_set();
  const char kind = array.dtype().kind();
  if (array.size() > 0 && kind != 'i' && kind != 'u')
    throw InputError("ids are of the type " + py::cast<std::string>(py::str(array.dtype())) +
                     "; they must be whole numbers");
  if (array.ndim() > 1)
    throw InputError("ids have the shape " + shape_of(array) + "; they must be (n,)");
  const py::array_t<std::uint64_t, py::array::c_style | py::array::forcecast> whole(array);
  std::vector<BodyId> ids(static_cast<std::size_t>(whole.size()));
  for (std::size_t k = 0; k < ids.size(); ++k) ids[k] = {whole.data()[k]};
  return ids;
}

}  // namespace scree::python
