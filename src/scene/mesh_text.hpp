/// Vertices in the texts of OBJ and STL files, where a reader that forgives would change the shape.
#pragma once

#include <string>
#include <string_view>

namespace scree::scene {

/// An OBJ file with vertices as three numbers each, as every reader takes them: `.5` is 0.5, and a
/// weight or a colour behind them is left out, for it does not move flat faces. Throws InputError
/// with the line of a vertex that has no three numbers.
std::string plain_obj(std::string_view text);

/// Throws InputError with the line of a vertex that has no three numbers, or of a facet that has no
/// three vertices.
void check_ascii_stl(std::string_view text);

}  // namespace scree::scene
