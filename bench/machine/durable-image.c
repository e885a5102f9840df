/*
 * Preloaded before the C library: whenever a file below DURABLE_FROM is made durable, a copy of it as it is at that moment
 * takes its place below DURABLE_TO, before the caller goes on. What stands there is what a loss of power leaves at least.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

typedef int (*sync_call)(int);

/* A copy that cannot be made would pass for a loss: the program ends, loudly. */
static void give_up(const char *what) {
  perror(what);
  abort();
}

static void make_parents(char *path) {
  for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(path, 0700);
    *at = '/';
  }
}

static void copy(int from, const char *to) {
  struct stat found;
  int into = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (into < 0 || fstat(from, &found) != 0) give_up(to);
  off_t at = 0;
  while (at < found.st_size) {
    ssize_t sent = sendfile(into, from, &at, found.st_size - at);
    if (sent < 0) give_up(to);
    if (sent == 0) break;
  }
  close(into);
}

/* A directory that is made durable forgets what was removed from it. */
static void forget_removed(const char *directory, const char *image) {
  DIR *kept = opendir(image);
  if (kept == NULL) return;
  for (struct dirent *entry = readdir(kept); entry != NULL; entry = readdir(kept)) {
    char before[4800], now[4800];
    if (entry->d_name[0] == '.' || strstr(entry->d_name, ".making") != NULL) continue;
    snprintf(before, sizeof before, "%s/%s", directory, entry->d_name);
    snprintf(now, sizeof now, "%s/%s", image, entry->d_name);
    if (access(before, F_OK) != 0 && entry->d_type == DT_REG) unlink(now);
  }
  closedir(kept);
}

static void keep(int file) {
  const char *root = getenv("DURABLE_FROM");
  const char *image = getenv("DURABLE_TO");
  if (root == NULL || image == NULL) return;
  char link[64], path[4096], to[4200], whole[4300];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return;
  path[length] = '\0';
  size_t prefix = strlen(root);
  if (strncmp(path, root, prefix) != 0 || (path[prefix] != '/' && path[prefix] != '\0')) return;
  struct stat found;
  if (fstat(file, &found) != 0) return;
  int is_directory = S_ISDIR(found.st_mode);
  /* Nor what has no name any more. */
  if (!is_directory && (!S_ISREG(found.st_mode) || found.st_nlink == 0)) return;
  /* Read by the caller's own descriptor where it can be: to close another one lets go of all locks on the file. */
  snprintf(to, sizeof to, "%s%s", image, path + prefix);
  snprintf(whole, sizeof whole, "%s/.lock", image);
  int lock = open(whole, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0 || flock(lock, LOCK_EX) != 0) give_up(whole);
  make_parents(to);
  if (is_directory) {
    forget_removed(path, to);
  } else {
    snprintf(whole, sizeof whole, "%s.making", to);
    int is_unreadable = (fcntl(file, F_GETFL) & O_ACCMODE) == O_WRONLY;
    int from = is_unreadable ? open(link, O_RDONLY | O_CLOEXEC) : file;
    copy(from, whole);
    if (is_unreadable) close(from);
    /* At once: the power may be cut in the middle of a copy, and then the one before stands. */
    if (rename(whole, to) != 0) give_up(to);
  }
  close(lock);
}

int fsync(int file) {
  int result = ((sync_call)dlsym(RTLD_NEXT, "fsync"))(file);
  if (result == 0) keep(file);
  return result;
}

int fdatasync(int file) {
  int result = ((sync_call)dlsym(RTLD_NEXT, "fdatasync"))(file);
  if (result == 0) keep(file);
  return result;
}
