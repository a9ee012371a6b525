# Untested. Linux only: see the page on other processors and systems.
class Scree < Formula
  desc "Rigid bodies in frictional contact: one contact set, many laws"
  url "file://#{__dir__}/scree.tar.gz"
  version File.read("#{__dir__}/../CMakeLists.txt")[/scree VERSION (\S+)/, 1]
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkg-config" => :build
  depends_on "pybind11" => :build
  %w[assimp cli11 cpp-httplib eigen fmt hdf5 nlohmann-json numpy python qhull spdlog tbb tinyxml2 udunits valijson
     yaml-cpp].each { |name| depends_on name }
  depends_on :linux

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-D", "SCREE_BUILD_TESTS=OFF",
           "-D", "SCREE_BUILD_BENCH=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/scree --version")
  end
end
