"""How scree draws: shared by the scripts in share/scree, studies, and the Python package."""
