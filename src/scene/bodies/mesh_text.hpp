/// Normalises the text of OBJ and STL files, where a tolerant reader would change the shape.
#pragma once

#include <string>
#include <string_view>

namespace scree::scene {

/// Text in lower case (ASCII letters only).
std::string lower(std::string_view written);

/// OBJ text with vertices and faces that every reader understands: `.5` becomes 0.5, lines are not
/// indented, and a weight or colour after three numbers is removed, because it does not move flat
/// faces. Throws InputError with the line of a vertex without three numbers.
std::string plain_obj(std::string_view text);

/// Facets of an ASCII STL file, in lower case, without normals. Throws InputError with the line of
/// a vertex without three numbers, or of a facet without three vertices.
std::string plain_stl(std::string_view text);

}  // namespace scree::scene
