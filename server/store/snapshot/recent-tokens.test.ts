import { publisherId } from "@offers/contract/ids";
import { describe, expect, it } from "vitest";
import type { AccessToken } from "../../core/oauth.ts";
import { believedMs, RecentTokens } from "./recent-tokens.ts";

const token: AccessToken = {
  grantId: "grant",
  clientId: "client",
  publisherId: publisherId.parse("publisher_a"),
  scopes: [],
  expiresAt: 1,
};

/** A memory over a look-up that counts, and a clock that the test moves. */
const remembering = (answer: (idHash: string) => Promise<AccessToken | null>) => {
  const state = { now: 1000, asked: [] as string[] };
  const recent = new RecentTokens(
    (idHash) => {
      state.asked.push(idHash);
      return answer(idHash);
    },
    () => state.now,
  );
  return Object.assign(state, { recent });
};

describe("recent tokens", () => {
  it("are looked up once in two seconds, however many calls come at once", async () => {
    const given = remembering(async () => token);
    expect(await Promise.all([given.recent.find("a"), given.recent.find("a")])).toEqual([token, token]);
    given.now += believedMs - 1;
    await given.recent.find("a");
    expect(given.asked).toEqual(["a"]);
    given.now += 1;
    await given.recent.find("a");
    expect(given.asked).toEqual(["a", "a"]);
  });

  it("are looked up again when the clock was set back", async () => {
    const given = remembering(async () => token);
    await given.recent.find("a");
    given.now -= 1;
    await given.recent.find("a");
    expect(given.asked).toEqual(["a", "a"]);
  });

  it("that are none, or could not be looked up, are not remembered", async () => {
    let calls = 0;
    const given = remembering(async () => {
      calls += 1;
      if (calls === 1) throw new Error("locked");
      return null;
    });
    await expect(given.recent.find("a")).rejects.toThrow("locked");
    expect(await given.recent.find("a")).toBeNull();
    expect(await given.recent.find("a")).toBeNull();
    expect(given.asked).toHaveLength(3);
  });

  it("are forgotten, the oldest first, above ten thousand", async () => {
    const given = remembering(async () => token);
    for (let at = 0; at <= 10_000; at += 1) await given.recent.find(String(at));
    await given.recent.find("10000");
    expect(given.asked).toHaveLength(10_001);
    await given.recent.find("0");
    expect(given.asked).toHaveLength(10_002);
  });
});
