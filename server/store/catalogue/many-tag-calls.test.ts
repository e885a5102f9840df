import { tmpdir } from "node:os";
import { type WebsiteKey, websiteKey } from "@offers/contract/ids";
import type { Insertable } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RefusedCall, refusedCallCodes, websiteSubject } from "../../core/refused-call.ts";
import { tagHealth } from "../../core/tag-health.ts";
import { fillFixture } from "../../testing/fixture.ts";
import type { SnippetPingTable, TroubleTable } from "../schema.ts";
import { newCatalogue } from "./catalogue-for-tests.ts";
import { readManyTagCalls, readTagCalls, type TagCalls } from "./tag-calls.ts";
import { listWebsites } from "./websites.ts";

let catalogue: Awaited<ReturnType<typeof newCatalogue>>;
const hourMs = 3_600_000;

beforeAll(async () => {
  catalogue = await newCatalogue(tmpdir());
  await fillFixture(catalogue, Date.UTC(2026, 10, 20, 12));
});
afterAll(() => catalogue.close());

/** A sequence of numbers from 0 to 1, the same for a seed whenever it is asked. */
const randomOf = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

/** Anything that pings and refused calls can come to, of websites with each other's origins too. */
const fillAtRandom = async (seed: number): Promise<{ now: number }> => {
  const random = randomOf(seed * 7_919_317);
  const below = (most: number) => Math.floor(random() * most);
  const { db } = catalogue;
  const websites = await db
    .selectFrom("website")
    .select(["id", "origins_json", "created_at"])
    .orderBy("id")
    .execute();
  const began = Math.max(...websites.map(({ created_at }) => created_at));
  const now = began - (began % hourMs) + (1 + below(500)) * hourMs + below(hourMs);
  const origins = websites.flatMap(({ origins_json }) => JSON.parse(origins_json) as string[]);
  const originOf = (): string => {
    const origin = (origins[below(origins.length)] ?? "").replace("*", random() < 0.5 ? "a" : "b");
    return random() < 0.8 ? origin : origin.replace("://", "://www.");
  };
  // The last of those that are one in the end.
  const pings = new Map<string, Insertable<SnippetPingTable>>();
  const refused = new Map<string, Insertable<TroubleTable>>();
  for (const { id } of websites) {
    const isLive = random() < 0.3;
    // Some were never seen, some have one busy hour, some a history of weeks.
    for (let left = random() < 0.3 ? 0 : below(random() < 0.5 ? 3 : 60); left > 0; left -= 1) {
      const at = Math.round(isLive && left < 3 ? now - below(600_000) : began + random() * (now - began));
      const host = new URL(originOf()).host;
      const version = `0.${below(2)}.0`;
      const hour = at - (at % hourMs);
      pings.set(`${id} ${host} ${version} ${hour}`, {
        ...{ website_id: id, host, script_version: version, hour, surface: "overlay" },
        ...{ url: `https://${host}/${at}`, last_at: at, loads: 1 + below(40) },
      });
      // Of pages that are not told apart there is a row beside those that are.
      if (random() < 0.8) continue;
      pings.set(`${id} ${hour}`, {
        ...{ website_id: id, host: "", script_version: "", hour, surface: "overlay", url: "" },
        ...{ last_at: Math.min(now, at + below(hour + hourMs - at)), loads: 1 + below(40) },
      });
    }
    for (let calls = random() < 0.3 ? 0 : below(12); calls > 0; calls -= 1) {
      const at = Math.round(random() < 0.1 ? began - below(hourMs) : began + random() * (now - began));
      const code: RefusedCall["code"] = refusedCallCodes[below(6)] ?? "other";
      const isUnknown = code === "unknown_website";
      const detail = `${originOf()}${code === "wrong_public_key" ? " pub_x" : ""}`;
      const subject = websiteSubject(isUnknown ? 0 : id);
      const row = {
        ...{ subject, hour: at - (at % hourMs), code, detail: code === "other" ? "" : detail },
        ...{ times: 1 + below(9), last_at: at },
      };
      refused.set(`${row.subject} ${row.hour} ${row.code} ${row.detail}`, row);
    }
  }
  await db.deleteFrom("snippet_ping").execute();
  await db.deleteFrom("trouble").execute();
  if (pings.size > 0)
    await db
      .insertInto("snippet_ping")
      .values([...pings.values()])
      .execute();
  if (refused.size > 0)
    await db
      .insertInto("trouble")
      .values([...refused.values()])
      .execute();
  return { now };
};

describe("the calls of many websites", () => {
  test("lead in any world to the verdict that each website's own lead to", async () => {
    const { db } = catalogue;
    const websites = await listWebsites(db);
    const states = new Set<string>();
    const codes = new Set<string>();
    for (let seed = 1; seed <= 150; seed += 1) {
      const { now } = await fillAtRandom(seed);
      const many = await readManyTagCalls(
        db,
        websites.map((website) => website.websiteKey),
        now,
      );
      expect(many.size).toBe(websites.length);
      for (const website of websites) {
        const verdict = (calls: TagCalls) =>
          tagHealth({
            ...{ now, websiteKey: website.websiteKey, publicKey: website.publicKey },
            ...{ origins: website.origins, waitingSince: website.createdAt },
            ...{ isPaused: false, isDevelopment: false, blocksSomebody: true, hasSupportContact: true },
            ...{ offers: { active: 1, permitted: 1 }, offersReachSomebody: true, placesWithoutOffer: [] },
            ...{ silentAt: null, currentScript: "0.1.0", checkedPage: null },
            ...calls,
          });
        const one = await readTagCalls(db, website.websiteKey, website.createdAt);
        const found = many.get(website.websiteKey);
        if (found === undefined) throw new Error(`nothing of ${website.websiteKey}`);
        expect({ seed, ...verdict(found) }).toEqual({ seed, ...verdict(one) });
        const { state, causes } = verdict(one);
        states.add(state);
        for (const { code } of causes) codes.add(code);
      }
    }
    // The worlds differ enough to tell one reading from another.
    expect([...states].sort()).toEqual(["broken", "live", "waiting"]);
    expect([...codes]).toEqual(
      expect.arrayContaining(["quiet", "origin_not_registered", "wrong_website", "old_script", "no_call"]),
    );
    // Some thousand statements, each of which a server answers in its turn.
  }, 60_000);

  test("are those of the websites that were asked for, and of none nothing", async () => {
    const { db } = catalogue;
    const key: WebsiteKey = websiteKey.parse("ws_a");
    expect([...(await readManyTagCalls(db, [key], 0)).keys()]).toEqual(["ws_a"]);
    expect(await readManyTagCalls(db, [], 0)).toEqual(new Map());
  });
});
