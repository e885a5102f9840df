import { expect, test } from "vitest";
import { isConnectionLost, isLockedByAnother, storageTrouble } from "./storage-trouble.ts";

const withCode = (code: unknown) => Object.assign(new Error("as PostgreSQL says it"), { code });

test.each([
  { code: "ECONNRESET", retryAfterSeconds: 1, isLost: true, isLocked: false },
  { code: "08006", retryAfterSeconds: 1, isLost: true, isLocked: false },
  { code: "57P01", retryAfterSeconds: 1, isLost: true, isLocked: false },
  { code: "53100", retryAfterSeconds: 10, isLost: false, isLocked: false },
  { code: "25P03", retryAfterSeconds: 1, isLost: false, isLocked: false },
  { code: "25P04", retryAfterSeconds: 1, isLost: false, isLocked: false },
  { code: "25006", retryAfterSeconds: 1, isLost: false, isLocked: false },
  { code: "55P03", retryAfterSeconds: 1, isLost: false, isLocked: true },
  { code: "40P01", retryAfterSeconds: 1, isLost: false, isLocked: true },
  { code: "40001", retryAfterSeconds: 1, isLost: false, isLocked: true },
])("$code is trouble with the storage", ({ code, retryAfterSeconds, isLost, isLocked }) => {
  const error = withCode(code);
  expect(storageTrouble(error)).toEqual({ code, retryAfterSeconds });
  expect(isConnectionLost(error)).toBe(isLost);
  expect(isLockedByAnother(error)).toBe(isLocked);
});

test.each(["23505", "22P02", "42P01", "ENOSPC"])("%s is none", (code) => {
  expect(storageTrouble(withCode(code))).toBeNull();
  expect(isLockedByAnother(withCode(code))).toBe(false);
});
