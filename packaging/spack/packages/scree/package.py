# Untested.
from spack.package import CMakePackage, depends_on, extends, license, variant, version, when


class Scree(CMakePackage):
    """Rigid bodies in frictional contact: one contact set, many laws."""

    license("Apache-2.0")
    version("main")  # of the tree that spack dev-build names

    variant("python", default=True, description="Build the Python package")

    depends_on("cmake@3.22:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type=("build", "run"))
    for library in ("intel-oneapi-tbb", "eigen", "qhull", "hdf5~mpi", "zlib-api", "yaml-cpp",
                    "assimp", "tinyxml2", "valijson", "nlohmann-json", "udunits", "fmt", "cli11",
                    "spdlog", "cpp-httplib"):
        depends_on(library)
    with when("+python"):
        extends("python")
        depends_on("py-pybind11@2.10:", type="build")
        depends_on("py-numpy", type=("build", "run"))

    def cmake_args(self):
        python = self.spec["python"].version.up_to(2)
        return [
            self.define_from_variant("SCREE_PYTHON", "python"),
            self.define("SCREE_BUILD_TESTS", False),
            self.define("SCREE_BUILD_BENCH", False),
            self.define("SCREE_PYTHON_DESTINATION", f"lib/python{python}/site-packages"),
        ]
