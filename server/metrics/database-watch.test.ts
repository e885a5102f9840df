import { beforeEach, expect, test } from "vitest";
import type { DatabaseMeasures } from "../core/database-measures.ts";
import { watchDatabase } from "./database-watch.ts";

const measures: DatabaseMeasures = {
  bytes: 1,
  logBytes: null,
  loggedBytes: null,
  declineSessions: { pending: 0, ready: 0 },
  dashboardSessions: 0,
  runs: [],
};
const time = { now: 0 };
const asked: PromiseWithResolvers<DatabaseMeasures>[] = [];
/** A database that answers when the test says so. */
const ask = (): Promise<DatabaseMeasures> => {
  const question = Promise.withResolvers<DatabaseMeasures>();
  asked.push(question);
  return question.promise;
};
beforeEach(() => {
  time.now = 0;
  asked.length = 0;
});
const watch = () => watchDatabase(1, () => time.now);

test("it is not asked again within four seconds, however often somebody reads", async () => {
  const database = watch();
  const answer = () => Promise.resolve(measures);
  expect(await database.read(answer)).toBe(measures);
  time.now = 3999;
  expect(await database.read(ask)).toBe(measures);
  expect(asked).toHaveLength(0);
  time.now = 4000;
  expect(await database.read(ask)).toBe(measures);
  expect(asked).toHaveLength(1);
});

test("a silent one is waited for briefly and asked once, and its last answer is good for half a minute", async () => {
  const database = watch();
  await database.read(() => Promise.resolve(measures));
  time.now = 5000;
  expect(await database.read(ask)).toBe(measures);
  time.now = 29_999;
  expect(await database.read(ask)).toBe(measures);
  time.now = 30_000;
  expect(await database.read(ask)).toBeNull();
  expect(asked).toHaveLength(1);
  const newer = { ...measures, bytes: 2 };
  asked[0]?.resolve(newer);
  expect(await database.read(ask)).toBe(newer);
});

test("one that refuses is gone at once, and asked no sooner again for that", async () => {
  const database = watch();
  await database.read(() => Promise.resolve(measures));
  time.now = 4000;
  expect(await database.read(() => Promise.reject(new Error("away")))).toBeNull();
  time.now = 7999;
  expect(await database.read(ask)).toBeNull();
  expect(asked).toHaveLength(0);
  time.now = 8000;
  expect(await database.read(() => Promise.resolve(measures))).toBe(measures);
});
