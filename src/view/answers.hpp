/// The answers to the page's questions, each as the bytes of one response.
#pragma once

#include <cstddef>
#include <string>

#include "view/frame_cache.hpp"
#include "view/run_files.hpp"

namespace scree::view {

/// What the page wants of a frame besides its bodies.
struct FrameQuestion {
  std::size_t frame = 0;
  std::string colour;           ///< name of a value of bodies
  bool contacts = false;        ///< force chains
  std::string known_obstacles;  ///< key of the surfaces that the page has already
};

/// A frame to draw, see frame_message.hpp. The lengths are relative to `origin` in the header.
std::string frame_answer(const RunFiles& run, FrameCache& cache, const FrameQuestion& question);

/// Meshes of the shapes of a frame's bodies, at bounding radius 1: the mesh k of shape k; none for
/// spheres and boxes.
Json shapes_answer(FrameCache& cache, std::size_t frame);

/// A body, and its contacts with the largest force first. Throws InputError if it is not there.
Json body_answer(const RunFiles& run, FrameCache& cache, std::size_t frame, std::uint64_t id);
/// The body in a row of the frame's message.
Json body_in_row_answer(const RunFiles& run, FrameCache& cache, std::size_t frame, std::size_t row);
/// A contact by its place in the file of contacts.
Json contact_answer(const RunFiles& run, FrameCache& cache, std::size_t frame, std::size_t contact);

}  // namespace scree::view
