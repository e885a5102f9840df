import { tmpdir } from "node:os";
import type { SessionId } from "@offers/contract/ids";
import { afterEach, describe, expect, test } from "vitest";
import { type DeclineSession, expiryOf, pollVerdict, sessionIdOf } from "../../core/decline-session.ts";
import type { DeclineOpenedEntry, DeclineTriggeredEntry } from "../../core/journal-entry.ts";
import { showEvents } from "../../testing/stored-rows.ts";
import { recount } from "../books/recount.ts";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { morning } from "../conformance/journal-for-tests.ts";
import { recordOpened } from "../journal/record-decline.ts";
import { openStore } from "../open-store.ts";
import { prepareSessions } from "./decline-sessions.ts";
import { preparePurge, preparePurgeOnce } from "./purge.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const newFile = async () => {
  const { close, ...database } = await newCatalogue(tmpdir());
  closing.push(close);
  const time = { now: morning };
  const node = async () => {
    const store = await openStore({
      file: database.file,
      durability: "relaxed",
      clock: () => time.now,
      log: () => undefined,
    });
    closing.push(store.close);
    return store;
  };
  showEvents(database.sqlite);
  const blocked = () =>
    database.sqlite
      .prepare("select request, surface, day, at, vertical from event where type = 'blocked'")
      .all();
  const counted = () =>
    database.sqlite.prepare("select coalesce(sum(blocked), 0) from counter").pluck().get();
  return { ...database, time, node, blocked, counted };
};

const own = { websiteId: 7, origin: "https://loans.example" };

const sessionOf = (number: number, openedAt = morning): DeclineSession => ({
  sessionId: sessionIdOf(Buffer.from(String(number).padStart(16, "0"))),
  ...own,
  request: String(number).padStart(16, "r"),
  country: "DE",
  region: "BE",
  test: false,
  visitor: "v".repeat(22),
  openedAt,
  expiresAt: expiryOf(openedAt),
  readyAt: null,
  suppression: null,
});

const opening = ({ readyAt: _, suppression: __, ...session }: DeclineSession) =>
  ({ kind: "decline_opened", session }) as const;

const trigger = (sessionId: SessionId, at: number, over: Partial<DeclineTriggeredEntry> = {}) =>
  ({
    kind: "decline_triggered",
    sessionId,
    websiteId: 7,
    vertical: "loans",
    reason: null,
    suppression: null,
    at,
    ...over,
  }) satisfies DeclineTriggeredEntry;

describe("a session in the store", () => {
  test("is found as it was opened, and with what its trigger said once it is ready", async () => {
    const file = await newFile();
    const store = await file.node();
    const session = sessionOf(1);
    expect(await store.declineSession(session.sessionId)).toBeNull();
    expect((await store.journal.append(opening(session))).session).toBe("pending");
    expect(await store.declineSession(session.sessionId)).toEqual(session);
    const suppression = { vulnerable: true, names: [3] };
    const said = { reason: "underage", suppression };
    const outcome = await store.journal.append(trigger(session.sessionId, morning + 1000, said));
    expect(outcome).toMatchObject({ session: "ready", refusal: null });
    expect(await store.declineSession(session.sessionId)).toEqual({
      ...session,
      readyAt: morning + 1000,
      suppression,
    });
    expect(file.blocked()).toEqual([
      {
        request: session.request,
        surface: "decline",
        day: "2026-05-04",
        at: morning + 1000,
        vertical: "loans",
      },
    ]);
  });

  test("is ready once: later triggers find it so and change nothing, and one visit is counted", async () => {
    const file = await newFile();
    const [one, two] = [await file.node(), await file.node()];
    const { sessionId } = sessionOf(1);
    await one.journal.append(opening(sessionOf(1)));
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? one : two).journal.append(
          trigger(sessionId, morning + at, { suppression: { vulnerable: false, names: [at] } }),
        ),
      ),
    );
    expect(outcomes.map(({ session }) => session)).toEqual(Array(20).fill("ready"));
    const found = await one.declineSession(sessionId);
    expect(found?.suppression?.names).toEqual([(found?.readyAt ?? 0) - morning]);
    expect(await one.declineSession(sessionId)).toEqual(found);
    expect([file.blocked().length, file.counted()]).toEqual([1, 1]);
    expect((await recount(file.db)).differences).toEqual([]);
  });

  test("is nobody else's to trigger, and stays as it is", async () => {
    const file = await newFile();
    const store = await file.node();
    const session = sessionOf(1);
    await store.journal.append(opening(session));
    const outcome = await store.journal.append(trigger(session.sessionId, morning, { websiteId: 8 }));
    expect(outcome.session).toBe("unknown");
    expect(await store.declineSession(session.sessionId)).toEqual(session);
    expect([file.blocked(), file.counted()]).toEqual([[], 0]);
  });

  test("84: triggered on one node is ready on the other within a second", async () => {
    const file = await newFile();
    const [one, two] = [await file.node(), await file.node()];
    const { sessionId } = sessionOf(1);
    await two.journal.append(opening(sessionOf(1)));
    const statusOnTwo = async () =>
      pollVerdict(await two.declineSession(sessionId), { ...own, now: morning + 1 }).outcome;
    expect(await statusOnTwo()).toBe("pending");
    await one.journal.append(trigger(sessionId, morning + 1));
    const since = performance.now();
    await expect.poll(statusOnTwo, { interval: 10 }).toBe("ready");
    expect(performance.now() - since).toBeLessThan(1000);
  });
});

describe("a trigger that races the expiry", () => {
  test("82: 200 times from 50 ms before to 50 ms after leaves exactly one end each", async () => {
    const file = await newFile();
    const [one, two] = [await file.node(), await file.node()];
    const sessions = Array.from({ length: 200 }, (_, number) => sessionOf(number));
    await Promise.all(sessions.map((session) => one.journal.append(opening(session))));
    const ends = await Promise.all(
      sessions.map(async ({ sessionId, expiresAt }, number) => {
        // -50 … 49 ms, each twice, the two nodes by turns.
        const at = expiresAt - 50 + Math.floor(number / 2);
        const [{ session: answer }, second] = await Promise.all([
          (number % 2 ? one : two).journal.append(trigger(sessionId, at)),
          (number % 2 ? two : one).journal.append(trigger(sessionId, at)),
        ]);
        expect(second.session).toBe(answer);
        const row = await one.declineSession(sessionId);
        const before = pollVerdict(row, { ...own, now: expiresAt - 1 }).outcome;
        const after = pollVerdict(row, { ...own, now: expiresAt }).outcome;
        return { inTime: at < expiresAt, answer, before, after };
      }),
    );
    const inTime = ends.filter((end) => end.inTime);
    expect(inTime).toHaveLength(100);
    for (const end of ends) {
      expect(end).toEqual(
        end.inTime
          ? { inTime: true, answer: "ready", before: "ready", after: "expired" }
          : { inTime: false, answer: "expired", before: "pending", after: "expired" },
      );
    }
    expect([file.blocked().length, file.counted()]).toEqual([100, 100]);
    expect((await recount(file.db)).differences).toEqual([]);
  });
});

describe("old sessions", () => {
  const fill = (file: Awaited<ReturnType<typeof newFile>>, count: number, openedAt: number, from = 0) => {
    const ports = { sessions: prepareSessions(file.sqlite) };
    file.sqlite.transaction(() => {
      for (let number = from; number < from + count; number += 1)
        recordOpened(opening(sessionOf(number, openedAt)), ports);
    })();
  };

  test("83: are purged an hour after they expired, 5,000 at a time, and the file does not grow by them", async () => {
    const file = await newFile();
    const pages = () => Number(file.sqlite.pragma("page_count", { simple: true }));
    const hour = 3_600_000;
    const due = morning + 900_000 + hour;
    fill(file, 6000, morning);
    const size = pages();
    const purge = preparePurgeOnce(file.sqlite);
    expect(purge(due - 1, 0)).toBe(false);
    expect(file.count("decline_session")).toBe(6000);
    expect(purge(due, 0)).toBe(true);
    expect(file.count("decline_session")).toBe(1000);
    expect(purge(due, 0)).toBe(false);
    expect(file.count("decline_session")).toBe(0);
    for (let round = 1; round <= 5; round += 1) {
      fill(file, 6000, due, round * 6000);
      while (purge(due * 2, 0));
    }
    expect(pages()).toBeLessThanOrEqual(size + 10);
  });

  test("are purged by a running service without being asked", async () => {
    const file = await newFile();
    const store = await file.node();
    fill(file, 6000, morning);
    fill(file, 1, morning + 60_000, 6000);
    await store.reload();
    expect(file.count("decline_session")).toBe(6001);
    file.time.now = morning + 900_000 + 3_600_000;
    await store.reload();
    await store.reload();
    expect(file.count("decline_session")).toBe(1);
  });

  test("are looked for once a minute, and again after a clock was set back", async () => {
    const file = await newFile();
    const purge = preparePurge(file.sqlite);
    const due = morning + 900_000 + 3_600_000;
    purge(due, 0);
    fill(file, 1, morning);
    purge(due + 59_999, 0);
    expect(file.count("decline_session")).toBe(1);
    purge(due, 0);
    expect(file.count("decline_session")).toBe(1);
    purge(due + 60_000, 0);
    expect(file.count("decline_session")).toBe(0);
    fill(file, 1, morning);
    purge(due, 0);
    expect(file.count("decline_session")).toBe(0);
  });

  test("83: however many addresses open them, no more are kept than there is room for", async () => {
    const file = await newFile();
    const ports = { sessions: prepareSessions(file.sqlite) };
    const open = (entry: DeclineOpenedEntry) => recordOpened(entry, ports, 3);
    const outcomes = [1, 2, 3, 4].map((number) => open(opening(sessionOf(number))).session);
    expect(outcomes).toEqual(["pending", "pending", "pending", "too_many"]);
    expect(file.count("decline_session")).toBe(3);
    preparePurgeOnce(file.sqlite)(morning + 86_400_000, 0);
    expect(file.count("decline_session")).toBe(0);
    expect(open(opening(sessionOf(5))).session).toBe("pending");
  });
});
