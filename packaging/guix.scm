;; Untested.
(use-modules (guix packages) (guix gexp) (guix git-download) (guix build-system cmake)
             ((guix licenses) #:prefix license:)
             (gnu packages))

(package
  (name "scree")
  (version "git")
  (source (local-file ".." "scree-source" #:recursive? #t
                      #:select? (git-predicate (string-append (current-source-directory) "/.."))))
  (build-system cmake-build-system)
  (arguments
   (list #:tests? #f
         #:configure-flags
         #~(list "-DSCREE_BUILD_TESTS=OFF" "-DSCREE_BUILD_BENCH=OFF"
                 (string-append "-DPython_EXECUTABLE=" #$(specification->package "python")
                                "/bin/python3"))))
  (native-inputs (map specification->package '("pkg-config" "pybind11")))
  (inputs (map specification->package
               '("python" "python-numpy" "tbb" "eigen" "qhull" "hdf5" "zlib" "yaml-cpp" "assimp"
                 "tinyxml2" "valijson" "json-modern-cxx" "udunits" "fmt" "cli11" "spdlog"
                 "cpp-httplib")))
  (synopsis "Rigid bodies in frictional contact")
  (description "scree applies many contact laws to one set of contacts, and measures how well it
solved each contact.")
  (home-page #f)
  (license license:asl2.0))
