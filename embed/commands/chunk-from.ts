import type { Loader } from "../wire/loader-and-commands.ts";

/**
 * How to come by a file, which stays the same one until it has failed: it knows what it has open, and Safari lets who asks for
 * a file whose own import is awaited have it before its time. It is that of the service which is named first, as the commands are.
 */
export function chunkFrom<Chunk>({ load }: Pick<Loader, "load">, file: string) {
  let chunk: Promise<Chunk> | null = null;
  return (base: string): Promise<Chunk> => {
    chunk ??= load<Chunk>(base + file).catch((problem) => {
      // The next one asks for it again.
      chunk = null;
      throw problem;
    });
    return chunk;
  };
}
