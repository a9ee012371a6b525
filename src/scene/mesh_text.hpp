/// Vertices in the texts of OBJ and STL files, where a reader that forgives would change the shape.
#pragma once

#include <string>
#include <string_view>

namespace scree::scene {

/// In small letters, of the Latin alphabet.
std::string lower(std::string_view written);

/// An OBJ file with vertices and faces as every reader takes them: `.5` is 0.5, lines are not
/// indented, and a weight or a colour behind three numbers is left out, for it does not move flat
/// faces. Throws InputError with the line of a vertex that has no three numbers.
std::string plain_obj(std::string_view text);

/// The facets of an ASCII STL file, in small letters, without their normals. Throws InputError with
/// the line of a vertex that has no three numbers, or of a facet that has no three vertices.
std::string plain_stl(std::string_view text);

}  // namespace scree::scene
