import type { Trial } from "./trial.ts";

/** What strangers send: bytes, origins, addresses, tokens. */
export const doorTrials: readonly Trial[] = [];
