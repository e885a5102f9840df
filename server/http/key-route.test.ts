import { connect as openSocket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withKey } from "../testing/key-calls.ts";
import { connect, newPartner, type OauthService, startOauthService } from "../testing/partner.ts";
import type { Call } from "./call.ts";
import { keyRoute } from "./key-route.ts";
import type { Told } from "./route.ts";

let service: OauthService;
const waiting = { calls: 0 };
/** What a test has every look-up of a token wait for. */
const lookUp: { begun: () => void; until: Promise<unknown> } = {
  begun: () => undefined,
  until: Promise.resolve(),
};
beforeAll(async () => {
  service = await startOauthService({
    load: {
      arrived: () => undefined,
      underWay: (by) => {
        waiting.calls += by;
      },
      pressure: () => ({ callsPerSecond: 0, busyShare: 0, inTurn: 0, underWay: 0 }),
      draw: () => 0,
      stop: () => undefined,
    },
    wrapStore: (store) => ({
      ...store,
      accessToken: async (hash) => {
        lookUp.begun();
        await lookUp.until;
        return store.accessToken(hash);
      },
    }),
  });
});
afterAll(() => service.close());

const callOf = (authorization: string): Call => ({
  id: "x",
  method: "GET",
  path: "/v1/offers",
  query: "",
  headers: { authorization },
  peer: "127.0.0.1",
  every: (name) => (name === "authorization" ? [authorization] : []),
  body: async () => new Uint8Array(),
});
const told = (): Told => ({ head: [], turn: null, website: null, keyId: null });

describe("a route of servers", () => {
  it("answers a key at once, and looks up a token first", async () => {
    const { key } = await withKey(service);
    const tokens = await connect(await newPartner(service));
    const route = keyRoute(service.context, "/v1/offers", {
      asks: { read: () => null },
      reply: () => ({ status: 200, headers: [], body: null }),
    });
    expect(route.answer(callOf(`Bearer ${key.key}`), told())).toMatchObject({ status: 200 });
    const later = route.answer(callOf(`Bearer ${tokens.access}`), told());
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toMatchObject({ status: 200 });
  });

  it("waits no more for a client that has left while its token was looked up", async () => {
    const tokens = await connect(await newPartner(service));
    const begun = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    Object.assign(lookUp, { begun: begun.resolve, until: held.promise });
    const before = waiting.calls;
    const { hostname, port } = new URL(service.url);
    const socket = openSocket(Number(port), hostname);
    socket.write(
      `POST /v1/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tokens.access}\r\n` +
        `Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await begun.promise;
    expect(waiting.calls).toBe(before + 1);
    const left = new Promise((resolve) => socket.once("close", resolve));
    socket.destroy();
    await left;
    // The service has heard of it by the time that it has answered somebody else.
    for (let turn = 0; turn < 3; turn += 1) await service.call("/healthz");
    held.resolve();
    await expect.poll(() => waiting.calls).toBe(before);
  });
});
