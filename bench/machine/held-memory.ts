import { isMainThread } from "node:worker_threads";

/** Loaded before a program (`NODE_OPTIONS=--import`): it holds HELD_MEGABYTES that it never needs, as one with a leak does. */
const megabytes = isMainThread ? Number(process.env.HELD_MEGABYTES ?? 0) : 0;
// Written, or the system would give no memory for them.
const held = Array.from({ length: megabytes }, () => Buffer.alloc(1024 * 1024, 1));
process.once("exit", () => held.splice(0));
