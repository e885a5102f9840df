import type { Context } from "./context.ts";
import type { Store } from "./store/store.ts";

/** Far less than the two days that pass before others let go of what nobody keeps (store/catalogue/chunks.ts). */
const everyMs = 60 * 60 * 1000;
/** A lock that was in the way is gone by then. */
const againMs = 60 * 1000;

/**
 * Keeps this release's chunks for as long as the process serves: nodes of another release that start meanwhile take them
 * for replaced (decisions.md#chunks-kept). Resolves once they are kept, or it was logged that they are not, which is tried
 * again soon.
 */
export async function keepChunks(
  store: Pick<Store, "putChunks">,
  chunks: ReadonlyMap<string, Uint8Array>,
  { log, isDraining }: Pick<Context, "log" | "isDraining">,
): Promise<void> {
  if (isDraining()) return;
  const isKept = await store.putChunks(chunks).then(
    () => true,
    (err: Error) => {
      // What is closed meanwhile has nobody to keep them for.
      if (!isDraining()) log({ event: "chunks_not_kept", err });
      return false;
    },
  );
  setTimeout(() => void keepChunks(store, chunks, { log, isDraining }), isKept ? everyMs : againMs).unref();
}
