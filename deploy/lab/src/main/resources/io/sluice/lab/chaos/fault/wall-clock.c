// Lets the wall clock of a process be wrong by as many seconds as the file $SLUICE_CLOCKS/PID says, and
// no other clock. The file is made when the process starts, and mapped: asking for the time costs a
// look into memory more.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t none;
static volatile int64_t *ahead = &none;
static int (*right)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
  char name[4096];
  const char *folder = getenv("SLUICE_CLOCKS");
  if (!folder || snprintf(name, sizeof name, "%s/%d", folder, (int)getpid()) >= (int)sizeof name) {
    return;
  }
  int file = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) {
    return;
  }
  if (ftruncate(file, sizeof *ahead) == 0) {
    void *mapped = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    ahead = mapped == MAP_FAILED ? &none : mapped;
  }
  close(file);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  if (!right) {
    right = dlsym(RTLD_NEXT, "clock_gettime");
  }
  int failed = right(clock, at);
  if (!failed && clock == CLOCK_REALTIME) {
    at->tv_sec += *ahead;
  }
  return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) {
    return -1;
  }
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) {
    return -1;
  }
  if (at) {
    *at = now.tv_sec;
  }
  return now.tv_sec;
}
