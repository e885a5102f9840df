import { compilePreload } from "./preload.ts";

/** A disk whose power can be cut: a library that keeps what was made durable apart from what was only written. */
export type DurableImage = {
  /** The environment of a program whose files below `from` have their durable state below `to`. */
  environment: (from: string, to: string) => Record<string, string>;
  remove: () => Promise<void>;
};

/** Null on anything but Linux, and where there is no C compiler. */
export async function compileDurableImage(): Promise<DurableImage | null> {
  const preload = await compilePreload("durable-image");
  if (preload === null) return null;
  return {
    environment: (from, to) => ({ LD_PRELOAD: preload.library, DURABLE_FROM: from, DURABLE_TO: to }),
    remove: preload.remove,
  };
}
