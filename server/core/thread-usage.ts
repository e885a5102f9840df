/** What a thread has used since it was started. */
export type ThreadUsage = {
  userSeconds: number;
  systemSeconds: number;
  /** Of its own heap of V8: what is used, and what was taken from the system for it. */
  heapUsedBytes: number;
  heapTotalBytes: number;
  /** What its objects hold beside the heap, such as buffers. */
  externalBytes: number;
};

/** A thread of the process, and what it has used, which rejects when it has ended. */
export type NamedThread = { name: (typeof threadNames)[number]; usage(): Promise<ThreadUsage> };
export const threadNames = ["main", "writer", "reader", "spool", "desk", "statements"] as const;

/** The same in the units that metrics have, of what Node says of a thread: microseconds and bytes. */
export function threadUsage(
  cpu: { user: number; system: number },
  heap: { used_heap_size: number; total_heap_size: number; external_memory: number },
): ThreadUsage {
  return {
    userSeconds: cpu.user / 1e6,
    systemSeconds: cpu.system / 1e6,
    heapUsedBytes: heap.used_heap_size,
    heapTotalBytes: heap.total_heap_size,
    externalBytes: heap.external_memory,
  };
}
