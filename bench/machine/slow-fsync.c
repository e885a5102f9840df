/* Preloaded before the C library: fsync and fdatasync take FSYNC_DELAY_US microseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

typedef int (*sync_call)(int);

static void delay(void) {
  const char *text = getenv("FSYNC_DELAY_US");
  long micros = text == NULL ? 0 : atol(text);
  struct timespec left = {micros / 1000000, (micros % 1000000) * 1000};
  while (nanosleep(&left, &left) == -1 && errno == EINTR) {
  }
}

int fsync(int file) {
  delay();
  return ((sync_call)dlsym(RTLD_NEXT, "fsync"))(file);
}

int fdatasync(int file) {
  delay();
  return ((sync_call)dlsym(RTLD_NEXT, "fdatasync"))(file);
}
