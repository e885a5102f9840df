import { readFileSync } from "node:fs";

/**
 * Loaded before a program (`NODE_OPTIONS=--import`): its machine's clock is wrong by CLOCK_SHIFT_MS, or by what the file
 * CLOCK_SHIFT_FILE says, which may change at any time.
 */
const file = process.env.CLOCK_SHIFT_FILE;
let shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const readShift = (): void => {
  if (file !== undefined) shiftMs = Number(readFileSync(file, "utf8"));
};
readShift();
if (file !== undefined) setInterval(readShift, 10).unref();

const now = Date.now.bind(Date);
Date.now = () => now() + shiftMs;
