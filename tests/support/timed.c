/* timed PROGRAM ARGS: runs the program and ends with its status. Where the environment variable SCREE_TEST_TIMES names
   a file, a line with its processor seconds and its name is appended: that of the test (--gtest_filter), else all words. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void append(const char* file, double seconds, int count, char** words) {
  char line[1024];
  int used = snprintf(line, sizeof line, "%.2f", seconds);
  for (int k = 1; k < count && used < (int)sizeof line - 2; ++k) {
    const char* word = words[k];
    if (k > 1 && strncmp(word, "--gtest_filter=", 15) == 0) {
      used = snprintf(line, sizeof line, "%.2f %s", seconds, word + 15);
      break;
    }
    const char* name = strrchr(word, '/');
    used += snprintf(line + used, sizeof line - (size_t)used, " %s", name ? name + 1 : word);
  }
  if (used > (int)sizeof line - 2) used = (int)sizeof line - 2;
  line[used++] = '\n';
  const int to = open(file, O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (to < 0) return;
  if (write(to, line, (size_t)used) < 0) perror(file);
  close(to);
}

int main(int count, char** words) {
  const char* file = getenv("SCREE_TEST_TIMES");
  if (count < 2) return 2;
  if (!file) {
    execvp(words[1], words + 1);
    perror(words[1]);
    return 127;
  }
  const pid_t child = fork();
  if (child < 0) {
    perror("fork");
    return 127;
  }
  if (child == 0) {
    execvp(words[1], words + 1);
    perror(words[1]);
    _exit(127);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return 127;
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  append(file, (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec),
         count, words);
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
  }
  return WEXITSTATUS(status);
}
