/* For programs that are linked against an older glibc than they were compiled with (scripts/portable): what the
   compiler's libraries and static ones take from the newer one, by the older one's means. */
#define _GNU_SOURCE
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

/* glibc 2.32: whether the process has one thread for sure. Never said: atomic operations are right with one, too. */
char __libc_single_threaded = 0;

/* glibc 2.36 */
void arc4random_buf(void* buffer, size_t size)
{
  unsigned char* next = buffer;
  while (size > 0) {
    ssize_t const got = getrandom(next, size, 0);
    if (got > 0) {
      next += got;
      size -= (size_t)got;
    }
  }
}
uint32_t arc4random(void)
{
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}

/* glibc 2.35: what the unwinder asks for each frame that an exception passes. */
struct search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int look_into(struct dl_phdr_info* object, size_t size, void* data)
{
  struct search* const search = data;
  (void)size;
  int holds_address = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    ElfW(Phdr) const* const part = &object->dlpi_phdr[i];
    uintptr_t const start = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && search->address >= start && search->address - start < part->p_memsz) {
      search->found->dlfo_map_start = (void*)start;
      search->found->dlfo_map_end = (void*)(start + part->p_memsz);
      holds_address = 1;
    }
    if (part->p_type == PT_GNU_EH_FRAME) { search->found->dlfo_eh_frame = (void*)start; }
  }
  return holds_address;
}

int _dl_find_object(void* address, struct dl_find_object* found)
{
  struct search search = {(uintptr_t)address, found};
  *found = (struct dl_find_object){0};
  if (!dl_iterate_phdr(look_into, &search) || !found->dlfo_eh_frame) { return -1; }
  return 0;
}
