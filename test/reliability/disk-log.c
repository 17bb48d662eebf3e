// Notes what a process does to a database's files, so that a test can rebuild what a disk may hold after a cut of power.
// Preloaded into the server (LD_PRELOAD). DISK_LOG_DB is the path of the database, DISK_LOG that of the log; each record is
//   op (1 byte: Create, Write, Truncate, Sync, Unlink), file (1 byte: index into SUFFIXES, or DIRECTORY), 2 unused bytes,
//   length of the data (4 bytes), offset or size (8 bytes), data.
// While there is a file DISK_FAULT, nothing can be written or synced: EIO, as of a disk that is gone or has become read-only.
// A record is written after the call has succeeded and before it returns. SQLite works on one thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_FD 4096
#define NONE 0xff
#define DIRECTORY 3
static const char *const SUFFIXES[] = {"", "-wal", "-journal"};

static unsigned char file_of_fd[MAX_FD];
static char database[4096], directory[4096];
static int log_fd = -1;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  memset(file_of_fd, NONE, sizeof file_of_fd);
  const char *db = getenv("DISK_LOG_DB"), *log = getenv("DISK_LOG");
  if (!db || db[0] != '/' || strlen(db) >= sizeof database) return;
  strcpy(database, db);
  strcpy(directory, db);
  *strrchr(directory, '/') = 0;
  if (log) log_fd = REAL(open)(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
}

static unsigned char file_of_path(const char *path) {
  if (!database[0]) return NONE;
  if (strcmp(path, directory) == 0) return DIRECTORY;
  size_t length = strlen(database);
  if (strncmp(path, database, length) != 0) return NONE;
  for (unsigned char i = 0; i < 3; i++) if (strcmp(path + length, SUFFIXES[i]) == 0) return i;
  return NONE;
}

static unsigned char file_of(int fd) { return fd >= 0 && fd < MAX_FD ? file_of_fd[fd] : NONE; }

static int is_faulty(int fd) {
  const char *fault = getenv("DISK_FAULT");
  if (file_of(fd) >= DIRECTORY || !fault || access(fault, F_OK) != 0) return 0;
  errno = EIO;
  return 1;
}

static void note(char op, unsigned char file, uint64_t offset, const void *data, uint32_t length) {
  if (log_fd < 0) return;
  struct __attribute__((packed)) { char op; unsigned char file; uint16_t unused; uint32_t length; uint64_t offset; } head = {op, file, 0, length, offset};
  struct iovec parts[] = {{&head, sizeof head}, {(void *)data, length}};
  if (writev(log_fd, parts, 2) != (ssize_t)(sizeof head + length)) abort();
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  unsigned char file = file_of_path(path);
  int is_new = file < DIRECTORY && (flags & O_CREAT) && access(path, F_OK) != 0;
  int fd = REAL(open64)(path, flags, mode);
  if (fd >= 0 && fd < MAX_FD) {
    file_of_fd[fd] = file;
    if (is_new) note('C', file, 0, NULL, 0);
  }
  return fd;
}

int close(int fd) {
  if (fd >= 0 && fd < MAX_FD) file_of_fd[fd] = NONE;
  return REAL(close)(fd);
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) {
  if (is_faulty(fd)) return -1;
  ssize_t done = REAL(pwrite64)(fd, data, length, offset);
  if (done > 0 && file_of(fd) < DIRECTORY) note('W', file_of(fd), (uint64_t)offset, data, (uint32_t)done);
  return done;
}

int ftruncate64(int fd, off64_t size) {
  if (is_faulty(fd)) return -1;
  int result = REAL(ftruncate64)(fd, size);
  if (result == 0 && file_of(fd) < DIRECTORY) note('T', file_of(fd), (uint64_t)size, NULL, 0);
  return result;
}

int fsync(int fd) {
  if (is_faulty(fd)) return -1;
  int result = REAL(fsync)(fd);
  if (result == 0 && file_of(fd) != NONE) note('S', file_of(fd), 0, NULL, 0);
  return result;
}

int fdatasync(int fd) {
  if (is_faulty(fd)) return -1;
  int result = REAL(fdatasync)(fd);
  if (result == 0 && file_of(fd) != NONE) note('S', file_of(fd), 0, NULL, 0);
  return result;
}

int unlink(const char *path) {
  int result = REAL(unlink)(path);
  if (result == 0 && file_of_path(path) < DIRECTORY) note('U', file_of_path(path), 0, NULL, 0);
  return result;
}
