/** Loaded before a program (`NODE_OPTIONS=--import`): its machine's clock is wrong by CLOCK_SHIFT_MS. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const now = Date.now.bind(Date);
Date.now = () => now() + shiftMs;
