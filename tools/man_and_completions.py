"""Writes the manual page of the program, and what bash, zsh and fish complete, from its help.

    man_and_completions.py PROGRAM DIRECTORY    writes scree.1.gz, scree.bash, _scree, scree.fish
"""

import dataclasses
import gzip
import pathlib
import re
import subprocess
import sys

COLUMN = 30  # where help has its descriptions
CHECK = r" |:(?=\{|INT|UINT|FLOAT|POSITIVE|NONNEGATIVE)"  # what follows the name of a value there


@dataclasses.dataclass
class Option:
    names: list  # -o, --out; of a positional argument its name
    value: str  # such as TEXT, empty: a flag
    choices: list  # all values, or empty
    text: str


@dataclasses.dataclass
class Command:
    name: str  # empty: the program itself
    summary: str
    usage: str
    sections: dict  # heading: options
    footer: str

    @property
    def options(self):
        return self.sections.get("Options", [])


def option_of(head, text):
    """From "-l,--law TEXT:{coulomb,polyhedral}=coulomb", as help has it."""
    names, _, value = re.sub(r" ?(Excludes|Needs): .*|\{false\}", "", head).partition(" ")
    choices = re.search(r"\{(.*)\}", value)
    return Option(names.split(","),
                  re.split(CHECK, value)[0], choices[1].split(",") if choices else [], text)


def options_of(lines):
    options = []
    for line in lines:
        if line[:COLUMN].strip() == "":
            options[-1].text += line.strip()
        elif len(line) > COLUMN and line[COLUMN - 1] == " ":
            options.append(option_of(line[:COLUMN].strip(), line[COLUMN:]))
        else:
            options.append(option_of(line.strip(), ""))
    return options


def command_of(program, *words):
    text = subprocess.run([program, *words, "--help"], check=True, capture_output=True,
                          encoding="utf-8").stdout
    summary, rest = text.split("\n", 1)
    usage, *blocks = rest.rstrip().split("\n\n")
    sections = {}
    while blocks and re.match("(Positionals|Options|Subcommands):\n", blocks[0]):
        heading, *lines = blocks.pop(0).split("\n")
        sections[heading[:-1]] = options_of(lines)
    return Command(" ".join(words), summary, usage.removeprefix("Usage: "), sections,
                   "\n\n".join(blocks))


def roff(text):
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq")
    return re.sub(r"^\.", r"\&.", escaped, flags=re.M)


def manual_of_option(option):
    names = ", ".join(rf"\fB{roff(name)}\fR" for name in option.names)
    values = "|".join(option.choices) or option.value
    return f".TP\n{names}" + (rf" \fI{roff(values)}\fR"
                              if values else "") + f"\n{roff(option.text)}"


def manual_of_footer(footer):
    headings = re.sub(r"^([A-Z][\w ]*):$", r"\\fB\1:\\fR", roff(footer), flags=re.M)
    return f".PP\n.nf\n{headings}\n.fi"


def manual(program, commands, version):
    lines = [
        f'.TH SCREE 1 "" "{version}" "User Commands"', ".SH NAME",
        rf"scree \- {roff(program.summary.removeprefix('scree '))}", ".SH SYNOPSIS",
        roff(program.usage), ".SH OPTIONS", *map(manual_of_option, program.options)
    ]
    for command in commands:
        lines += [f".SH {command.name.upper()}", roff(command.usage), ".PP", roff(command.summary)]
        for options in command.sections.values():
            lines += map(manual_of_option, options)
        lines.append(manual_of_footer(command.footer))
    return "\n".join(lines + [".SH NOTES", manual_of_footer(program.footer)]) + "\n"


def bash(program, commands):
    choices = [
        f"    {'|'.join(f'{command.name}:{name}:*' for name in option.names)}) "
        f"words='{' '.join(option.choices)}' ;;" for command in commands
        for option in command.options if option.choices
    ]
    options = [
        f"    {command.name}:*:-*) words='"
        f"{' '.join(name for option in command.options for name in option.names)}' ;;"
        for command in commands
    ]
    first = [command.name for command in commands] + ["--help", "--version"]
    return "\n".join([
        "# Words that bash completes after scree. Where there are none, it completes files.",
        "_scree() {", "  local words=''", "  case ${COMP_WORDS[1]}:$3:$2 in", *choices, *options,
        "  esac", f"  ((COMP_CWORD > 1)) || words='{' '.join(first)}'",
        '  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")', "}",
        "complete -o default -F _scree scree"
    ]) + "\n"


def zsh_text(text):
    return re.sub(r"([\[\]:])", r"\\\1", text).replace("'", r"'\''")


def zsh_option(option):
    """For _arguments, such as '(-o --out)'{-o,--out}'[Run directory]:TEXT:_files'."""
    action = f"({' '.join(option.choices)})" if option.choices else "_files"
    names = f"'({' '.join(option.names)})'{{{','.join(option.names)}}}" \
        if len(option.names) > 1 else option.names[0]
    value = f":{zsh_text(option.value)}:{action}" if option.value else ""
    return f"{names}'[{zsh_text(option.text)}]{value}'"


def zsh(program, commands):
    names = [
        f"    '{command.name}:{command.summary}'".replace("'s ", r"'\''s ") for command in commands
    ]
    lines = [
        "#compdef scree", "# What zsh completes after scree.", "if ((CURRENT == 2)); then",
        "  local -a commands=(", *names, "  )", "  _describe subcommand commands", "  return", "fi",
        "shift words", "((CURRENT--))", "case $words[1] in"
    ]
    for command in commands:
        specifications = " \\\n    ".join(map(zsh_option, command.options))
        lines += [
            f"  {command.name}) _arguments \\\n    {specifications} \\\n    '*:file:_files' ;;"
        ]
    return "\n".join(lines + ["esac"]) + "\n"


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_option(command, option):
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                     for name in option.names)
    value = f" -x -a '{' '.join(option.choices)}'" if option.choices else " -r" * bool(option.value)
    return (f"complete -c scree -n '__fish_seen_subcommand_from {command.name}' {names}{value} "
            f"-d {fish_text(option.text)}")


def fish(program, commands):
    lines = ["# What fish completes after scree."]
    lines += [
        f"complete -c scree -f -n __fish_use_subcommand -a {command.name} "
        f"-d {fish_text(command.summary)}" for command in commands
    ]
    lines += [fish_option(command, option) for command in commands for option in command.options]
    return "\n".join(lines) + "\n"


def main(path, directory):
    program = command_of(path)
    commands = [command_of(path, *option.names) for option in program.sections["Subcommands"]]
    version = subprocess.run([path, "--version"], check=True, capture_output=True,
                             encoding="utf-8").stdout.split("\n")[0]
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    page = manual(program, commands, version).encode()
    (directory / "scree.1.gz").write_bytes(gzip.compress(page, mtime=0))
    for name, text in (("scree.bash", bash), ("_scree", zsh), ("scree.fish", fish)):
        (directory / name).write_text(text(program, commands), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
