import { gunzipSync } from "node:zlib";
import type { Context } from "../context.ts";
import { Problem } from "../http/problem.ts";

/**
 * A file that another release was built with, by the name that it is kept under (decisions.md#chunks-kept), gzipped for who
 * takes it so. Throws a problem where none is kept, and rejects where the store cannot tell.
 */
export async function keptChunk(
  store: Pick<Context["store"], "findChunk">,
  name: string,
  { takesGzip }: { takesGzip: boolean },
): Promise<{ encoding: "gzip" | null; body: Buffer }> {
  const gzipped = await store.findChunk(name);
  if (gzipped === null) throw unknownFile();
  return takesGzip
    ? { encoding: "gzip", body: Buffer.from(gzipped) }
    : { encoding: null, body: gunzipSync(gzipped) };
}

export const unknownFile = (): Problem => new Problem("not_found", "This file does not exist.");
