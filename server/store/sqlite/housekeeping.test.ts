import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterEach, expect, test } from "vitest";
import { dayNumber } from "../../core/utc-day.ts";
import { openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { housekeep } from "./housekeeping.ts";
import { truncateLog } from "./truncate-log.ts";
import { takeWriteLock } from "./write-lock.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const newFile = async () => {
  const { close, ...database } = await newCatalogueFile(tmpdir());
  closing.push(close);
  const salts = () => database.db.selectFrom("visitor_salt").selectAll().orderBy("day").execute();
  const days = async () => (await salts()).map(({ day }) => day);
  return { ...database, salts, days };
};

const may = (day: number, hour = 0, minute = 0) => Date.UTC(2026, 4, day, hour, minute);

test("yesterday, today and tomorrow have a salt of 256 bits each, which stay as they are", async () => {
  const file = await newFile();
  expect(await housekeep(file, may(4, 10), 0)).toBe(false);
  const salts = await file.salts();
  expect(salts.map(({ day }) => day)).toEqual([
    dayNumber(Date.UTC(2026, 4, 3)),
    dayNumber(Date.UTC(2026, 4, 4)),
    dayNumber(Date.UTC(2026, 4, 5)),
  ]);
  for (const { salt } of salts) expect(Buffer.from(salt, "base64url")).toHaveLength(32);
  expect(new Set(salts.map(({ salt }) => salt)).size).toBe(3);
  expect(await housekeep(file, may(4, 23, 59), 0)).toBe(false);
  expect(await file.salts()).toEqual(salts);
});

test.each([
  {
    name: "a minute before midnight",
    now: may(5, 23, 59),
    days: [dayNumber(Date.UTC(2026, 4, 4)), dayNumber(Date.UTC(2026, 4, 5)), dayNumber(Date.UTC(2026, 4, 6))],
  },
  {
    name: "at midnight",
    now: may(6),
    days: [dayNumber(Date.UTC(2026, 4, 5)), dayNumber(Date.UTC(2026, 4, 6)), dayNumber(Date.UTC(2026, 4, 7))],
  },
  {
    name: "a month later",
    now: Date.UTC(2026, 5, 4),
    days: [dayNumber(Date.UTC(2026, 5, 3)), dayNumber(Date.UTC(2026, 5, 4)), dayNumber(Date.UTC(2026, 5, 5))],
  },
])("a salt is destroyed 48 hours after its day began: $name", async ({ now, days }) => {
  const file = await newFile();
  await housekeep(file, may(4), 0);
  expect(await housekeep(file, now, 0)).toBe(true);
  expect(await file.days()).toEqual(days);
});

test("a destroyed salt is in none of the files", async () => {
  const file = await newFile();
  await housekeep(file, may(4), 0);
  const [old] = await file.salts();
  expect(truncateLog(file.sqlite)).toBe(true);
  const everything = () => readFileSync(file.file, "latin1") + readFileSync(`${file.file}-wal`, "latin1");
  expect(everything()).toContain(old?.salt);
  await housekeep(file, may(5), 0);
  // In the log's older pages at least.
  expect(everything()).toContain(old?.salt);
  expect(truncateLog(file.sqlite)).toBe(true);
  expect(everything()).not.toContain(old?.salt);
  expect(everything()).toContain((await file.salts()).at(-1)?.salt);
});

test("while another process writes it fails soon, and all is as before", async () => {
  const file = await newFile();
  const impatient = openDatabase({ file: file.file, durability: "relaxed", busyTimeoutMs: 0 });
  closing.push(() => impatient.db.destroy());
  takeWriteLock(file.sqlite, 0);
  await expect(housekeep(impatient, may(4), 0)).rejects.toThrow(
    expect.objectContaining({ code: "SQLITE_BUSY" }),
  );
  file.sqlite.exec("rollback");
  expect(await file.days()).toEqual([]);
  expect(await housekeep(impatient, may(4), 0)).toBe(false);
  expect(await file.days()).toHaveLength(3);
});
