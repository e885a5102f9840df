import { expect, test } from "vitest";
import { isLockedByAnother, storageTrouble } from "./storage-trouble.ts";

const sqliteError = (code: unknown) => Object.assign(new Error("as SQLite says it"), { code });

test.each([
  { code: "SQLITE_BUSY", retryAfterSeconds: 1, isLocked: true },
  { code: "SQLITE_BUSY_SNAPSHOT", retryAfterSeconds: 1, isLocked: true },
  { code: "SQLITE_FULL", retryAfterSeconds: 5, isLocked: false },
  { code: "SQLITE_IOERR_FSYNC", retryAfterSeconds: 5, isLocked: false },
  { code: "SQLITE_READONLY_DBMOVED", retryAfterSeconds: 5, isLocked: false },
])("$code is trouble with the storage", ({ code, retryAfterSeconds, isLocked }) => {
  expect(storageTrouble(sqliteError(code))).toEqual({ code, retryAfterSeconds });
  expect(isLockedByAnother(sqliteError(code))).toBe(isLocked);
});

test.each(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_ERROR", "SQLITE_MISMATCH", "ENOSPC", 5, undefined])(
  "%s is none",
  (code) => {
    expect(storageTrouble(sqliteError(code))).toBeNull();
    expect(isLockedByAnother(sqliteError(code))).toBe(false);
  },
);

test("what is no error is none", () => {
  for (const thrown of [null, "SQLITE_BUSY", { code: "SQLITE_BUSY" }])
    expect(storageTrouble(thrown)).toBeNull();
});
