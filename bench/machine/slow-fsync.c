/*
 * Preloaded before the C library: fsync and fdatasync take FSYNC_DELAY_US microseconds longer, or as many as the file
 * FSYNC_DELAY_FILE says, which may change at any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef int (*sync_call)(int);

static long wanted(void) {
  const char *text = getenv("FSYNC_DELAY_US");
  const char *name = getenv("FSYNC_DELAY_FILE");
  long micros = text == NULL ? 0 : atol(text);
  FILE *file = name == NULL ? NULL : fopen(name, "r");
  if (file != NULL) {
    if (fscanf(file, "%ld", &micros) != 1) micros = 0;
    fclose(file);
  }
  return micros;
}

static void delay(void) {
  long micros = wanted();
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
