import { tmpdir } from "node:os";
import { afterEach, describe, expect, test, vi } from "vitest";
import { requestKeyOf } from "../../core/request-key.ts";
import {
  addAdvertiser,
  addOffer,
  hashOf,
  morning,
  reported,
  served,
  visitOf,
} from "../conformance/journal-for-tests.ts";
import { opening, own, sessionOf } from "../conformance/sessions-for-tests.ts";
import { recordOpened } from "../journal/record-decline.ts";
import { openStore } from "../open-store.ts";
import { prepareSessions } from "./decline-sessions.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { preparePurge, preparePurgeOnce } from "./purge.ts";
import { startFactPurge } from "./purge-facts.ts";
import { prepareBatchWriter } from "./write-batch.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const newFile = async () => {
  const { close, ...database } = await newCatalogueFile(tmpdir());
  closing.push(close);
  const time = { now: morning };
  const node = async () => {
    const store = await openStore({
      database: { engine: "sqlite", file: database.file, durability: "relaxed" },
      clock: () => time.now,
      log: () => undefined,
    });
    closing.push(store.close);
    return store;
  };
  return { ...database, time, node };
};

describe("old sessions", () => {
  const fill = (file: Awaited<ReturnType<typeof newFile>>, count: number, openedAt: number, from = 0) => {
    const ports = { sessions: prepareSessions(file.sqlite) };
    const open = file.sqlite.transaction(() => {
      for (let number = from; number < from + count; number += 1)
        recordOpened(opening(sessionOf(number, openedAt)), ports);
    });
    // It reads before it writes: without the lock from the start, a service that writes in between would refuse it at once.
    open.immediate();
  };

  test("are purged an hour after they expired, 5,000 at a time, and the file does not grow by them", async () => {
    const file = await newFile();
    const pages = () => Number(file.sqlite.pragma("page_count", { simple: true }));
    const hour = 3_600_000;
    const due = morning + 900_000 + hour;
    fill(file, 6000, morning);
    const size = pages();
    const purge = preparePurgeOnce(file.sqlite, null);
    expect(purge(due - 1, 0)).toBe(false);
    expect(await file.count("decline_session")).toBe(6000);
    expect(purge(due, 0)).toBe(true);
    expect(await file.count("decline_session")).toBe(1000);
    expect(purge(due, 0)).toBe(false);
    expect(await file.count("decline_session")).toBe(0);
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
    expect(await file.count("decline_session")).toBe(6001);
    file.time.now = morning + 900_000 + 3_600_000;
    await store.reload();
    await store.reload();
    expect(await file.count("decline_session")).toBe(1);
  });

  test("are looked for once a minute, and again after a clock was set back", async () => {
    const file = await newFile();
    const purge = preparePurge(file.sqlite, null);
    const due = morning + 900_000 + 3_600_000;
    purge(due, 0);
    fill(file, 1, morning);
    purge(due + 59_999, 0);
    expect(await file.count("decline_session")).toBe(1);
    purge(due, 0);
    expect(await file.count("decline_session")).toBe(1);
    purge(due + 60_000, 0);
    expect(await file.count("decline_session")).toBe(0);
    fill(file, 1, morning);
    purge(due, 0);
    expect(await file.count("decline_session")).toBe(0);
  });

  test("leave as many places as they had, whoever deletes them", async () => {
    const file = await newFile();
    const { kept } = prepareSessions(file.sqlite);
    fill(file, 6000, morning);
    expect(kept(own.websiteId)).toEqual({ all: 6000, ofWebsite: 6000 });
    expect(kept(own.websiteId + 1)).toEqual({ all: 6000, ofWebsite: 0 });
    preparePurgeOnce(file.sqlite, null)(morning + 86_400_000, 0);
    expect(kept(own.websiteId)).toEqual({ all: 1000, ofWebsite: 1000 });
    file.sqlite.exec("delete from decline_session");
    expect(kept(own.websiteId)).toEqual({ all: 0, ofWebsite: 0 });
  });
});

test("a purge of events that a clock ahead has begun ends as it is set back", async () => {
  const { db, sqlite, count } = await newFile();
  await addAdvertiser(db, "advertiser_1", 1_000_000);
  const offer = await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", payoutMicros: 50_000 });
  const writer = prepareBatchWriter(sqlite);
  const random = Buffer.alloc(7);
  writer.write(
    Array.from({ length: 250 }, (_, number) => {
      random.writeUInt16BE(number);
      return served(visitOf(`r${number}`, { request: requestKeyOf(morning, random), at: morning }), [offer]);
    }),
    0,
  );
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const purge = startFactPurge(sqlite, { keptDays: 90, onError: (error) => expect.fail(String(error)) });
    purge.look(morning + 365 * 86_400_000);
    purge.look(morning);
    vi.runAllTimers();
    expect(await count("fact")).toBe(150);
    purge.look(morning + 365 * 86_400_000);
    vi.runAllTimers();
    expect(await count("fact")).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("billed clicks are kept for two days, and no longer", async () => {
  const file = await newFile();
  const note = file.sqlite.prepare("insert into billed_click (visitor, offer, at) values (?, 1, ?)");
  const kept = () => Number(file.sqlite.prepare("select count(*) from billed_click").pluck().get());
  const purge = preparePurgeOnce(file.sqlite, null);
  for (let number = 0; number < 6000; number += 1) note.run(Buffer.from(String(number)), morning);
  note.run(Buffer.from("later"), morning + 1);
  const due = morning + 48 * 3_600_000;
  expect(purge(due - 1, 0)).toBe(false);
  expect(kept()).toBe(6001);
  expect(purge(due, 0)).toBe(true);
  expect(purge(due, 0)).toBe(false);
  expect(kept()).toBe(1);
});

test("activity is kept for thirteen months, in which nothing of it goes", async () => {
  const file = await newFile();
  const note =
    file.sqlite.prepare(`insert into activity (at, version, actor_kind, actor_id, actor_name, subject_kind,
      subject_id, subject_name, action) values (?, 1, 'command_line', 'a', 'a', 'currency', 'EUR', 'EUR', 'updated')`);
  for (let number = 0; number < 600; number += 1) note.run(morning);
  note.run(Date.UTC(2026, 5, 4, 10));
  const purge = preparePurgeOnce(file.sqlite, 8);
  // Thirteen months later, on the day of that number.
  expect(purge(Date.UTC(2027, 5, 4, 10) - 1, 0)).toBe(false);
  expect(await file.count("activity")).toBe(601);
  expect(purge(morning + 397 * 24 * 3_600_000, 0)).toBe(true);
  expect(await file.count("activity")).toBe(101);
  expect(purge(morning + 397 * 24 * 3_600_000, 0)).toBe(false);
  expect(await file.count("activity")).toBe(1);
});

test("what networks and views were billed for goes with the day's salt, and after 26 hours", async () => {
  const file = await newFile();
  const { sqlite } = file;
  const hourMs = 3_600_000;
  const day = morning - (morning % (24 * hourMs));
  sqlite.prepare("insert into billed_network values (?, x'01', ?, 1, 0)").run(day, morning);
  sqlite
    .prepare("insert into billed_view (hour, viewer, offer, at, views) values (?, x'01', 1, ?, 1)")
    .run(morning, morning);
  const kept = () =>
    ["billed_network", "billed_view"].map((table) =>
      Number(sqlite.prepare(`select count(*) from ${table}`).pluck().get()),
    );
  const purge = preparePurgeOnce(sqlite, null);
  const purged = (at: number) => {
    purge(at, 0);
    return kept();
  };
  expect(purged(morning + 26 * hourMs - 1)).toEqual([1, 1]);
  expect(purged(morning + 26 * hourMs)).toEqual([1, 0]);
  expect(purged(day + 48 * hourMs - 1)).toEqual([1, 0]);
  expect(purged(day + 48 * hourMs)).toEqual([0, 0]);
});

test("of one visitor's views five are billed, however late a server reports them", async () => {
  const { db, sqlite } = await newFile();
  await addAdvertiser(db, "advertiser_1", 1_000_000);
  const model = "CPM";
  const terms = { payoutMicros: 50_000, payout_model: model } as const;
  const offer = await addOffer(db, { id: "offer_1", advertiser: "advertiser_1", ...terms });
  const writer = prepareBatchWriter(sqlite);
  const report = (number: number) => {
    const visit = visitOf(`r${number}`, { at: morning + number * 1000 });
    const viewer = { visitor: hashOf("viewer"), network: null };
    const view = { ...reported(visit, offer), type: "impression" as const, viewer };
    const { outcomes } = writer.write([served(visit, [offer], { model, micros: 50 }), view], 0);
    return outcomes[1]?.refusal;
  };
  expect([0, 1, 2, 3, 4].map(report)).toEqual([null, null, null, null, null]);
  preparePurgeOnce(sqlite, null)(morning + 24 * 3_600_000, 0);
  expect(report(5)).toBe("rate");
});

test("what a check of a page has found goes once it is told no more", async () => {
  const { sqlite } = await newFile();
  sqlite.prepare("insert into page_check values ('ws_1', 'https://a.example/', '[]', ?)").run(morning);
  const kept = () => sqlite.prepare("select count(*) from page_check").pluck().get();
  preparePurgeOnce(sqlite, null)(morning + 3_600_000 - 1, 0);
  expect(kept()).toBe(1);
  preparePurgeOnce(sqlite, null)(morning + 3_600_000, 0);
  expect(kept()).toBe(0);
});

test("pings go with the events, and kept answers when nobody is given them any more", async () => {
  const { sqlite } = await newFile();
  const hourMs = 3_600_000;
  sqlite
    .prepare(`insert into snippet_ping (website_id, host, script_version, hour, surface, url, last_at)
       values (1, 'a.example', '1', ?, 'overlay', '', 0)`)
    .run(morning);
  sqlite.prepare("insert into kept_answer values ('publisher_a', 'key', 'f', '{}', ?)").run(morning);
  const kept = () =>
    ["snippet_ping", "kept_answer"].map((table) =>
      Number(sqlite.prepare(`select count(*) from ${table}`).pluck().get()),
    );
  const purged = (at: number, keptDays: number | null) => {
    preparePurgeOnce(sqlite, keptDays)(at, 0);
    return kept();
  };
  expect(purged(morning + 24 * hourMs - 1, 8)).toEqual([1, 1]);
  expect(purged(morning + 24 * hourMs, 8)).toEqual([1, 0]);
  expect(purged(morning + 8 * 24 * hourMs - 1, 8)).toEqual([1, 0]);
  expect(purged(morning + 8000 * 24 * hourMs, null)).toEqual([1, 0]);
  expect(purged(morning + 8 * 24 * hourMs, 8)).toEqual([0, 0]);
});
