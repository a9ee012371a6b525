#!/usr/bin/python3
"""Draws a movie or a picture of a run in space: movie.py RUN_DIRECTORY movie|picture FILE OPTIONS

`scree movie` and `scree picture` call this script. OPTIONS are those of a scene, as JSON in SI
units. A movie without ffmpeg goes to a directory of PNG files.
"""

import argparse
import json
import sys
from pathlib import Path

from pictures import PictureError, Run, in_space  # reports missing packages


def main():
    parser = argparse.ArgumentParser(description="Draws a movie or a picture of a run of scree.")
    parser.add_argument("run", help="run directory")
    parser.add_argument("kind", choices=("movie", "picture"))
    parser.add_argument("out", type=Path, help="file to write")
    parser.add_argument("options", type=json.loads, help="options as JSON, as in a scene")
    arguments = parser.parse_args()
    try:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        path = in_space(arguments.kind)(Run(arguments.run), arguments.options, arguments.out)
    except (OSError, ValueError, KeyError, PictureError) as error:
        print(f"warning: {arguments.out} was not drawn: {error}")
        return 1
    print(f"drew {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
