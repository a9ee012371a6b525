/// The program scree.
#include "commands.hpp"

int main(int argc, char** argv) { return scree::cli::run_program(argc, argv, nullptr); }
