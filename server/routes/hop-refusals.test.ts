import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chrome } from "../testing/call.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
/** An offer that the catalogue is to have no more. */
const storage = { goneOffer: "" };

beforeAll(async () => {
  service = await startTestService({
    wrapStore: (store) => ({
      ...store,
      catalogue: () => {
        const catalogue = store.catalogue();
        return {
          ...catalogue,
          offer: (id) => (id === storage.goneOffer ? undefined : catalogue.offer(id)),
        };
      },
    }),
  });
});
afterAll(() => service.close());

const navigation = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const clicks = () => service.stored.events("click");
const lastClick = () => clicks().at(-1);

/** The visitors come from addresses of their own, or the second would be the first one's duplicate. */
let visitors = 0;
const visitNew = async () => {
  visitors += 1;
  const from = `203.0.113.${visitors}`;
  const visit = await service.visit({ from });
  const linkTo = (offerId: string) => visit.offers.find(({ id }) => id === offerId)?.url ?? "";
  return { ...visit, from, linkTo };
};

describe("GET /v1/r before a visitor comes", () => {
  it("answers HEAD like GET and records nothing", async () => {
    const { linkTo, from } = await visitNew();
    const before = clicks().length;
    const answer = await service.follow(linkTo("offer_premium"), { from, method: "HEAD" });
    expect(answer).toMatchObject({ status: 302, text: "" });
    expect(answer.headers.location).toMatch(/^https:\/\/brand\.example\//);
    expect(clicks().length).toBe(before);
    const real = await service.follow(linkTo("offer_premium"), { from });
    expect(real.headers.location).toBe(answer.headers.location);
    expect(lastClick()).toMatchObject({ billed_micros: 500_000 });
  });

  it.each([{ "Sec-Purpose": "prefetch" }, { "Sec-Purpose": "prefetch;prerender" }, { Purpose: "prefetch" }])(
    "takes no click from the speculation %j, and the real one later",
    async (headers) => {
      const { linkTo, from } = await visitNew();
      const before = clicks().length;
      const answer = await service.follow(linkTo("offer_premium"), { from, headers });
      expect(answer).toMatchObject({ status: 503, headers: { "cache-control": "no-store" } });
      expect(answer.headers).not.toHaveProperty("retry-after");
      expect(answer.headers).not.toHaveProperty("location");
      expect(clicks().length).toBe(before);
      await service.follow(linkTo("offer_premium"), { from });
      expect(lastClick()).toMatchObject({ billed_micros: 500_000 });
    },
  );
});

describe("GET /v1/r with a token that is no token", () => {
  it("answers 400 to every single bit that is flipped", async () => {
    const { linkTo } = await visitNew();
    const token = new URL(linkTo("offer_premium")).searchParams.get("t") ?? "";
    const bytes = Buffer.from(token, "base64url");
    const before = clicks().length;
    const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const copy = Buffer.from(bytes);
      copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return copy.toString("base64url");
    });
    for (const other of flipped) {
      const answer = await service.follow(`/v1/r?t=${other}`);
      expect(answer.status).toBe(400);
      expect(answer.headers).not.toHaveProperty("location");
    }
    expect(clicks().length).toBe(before);
  });

  it("answers 400 to every other spelling of a good one", async () => {
    const { decision, linkTo } = await visitNew();
    const token = new URL(linkTo("offer_premium")).searchParams.get("t") ?? "";
    const spellings = [
      "",
      "%20",
      "x",
      token.slice(0, -1),
      token.slice(1),
      `${token}A`,
      `${token}=`,
      `${token}%0A`,
      `${token}&t=${token}`,
      `&t=`,
      decision.requestId,
      decision.requestId.slice(4),
      "%00",
      "%ED%A0%80",
      "A".repeat(600),
    ];
    for (const t of spellings) {
      const answer = await service.follow(`/v1/r?t=${t}`);
      expect([t, answer.status]).toEqual([t, 400]);
      expect(answer.json()).toMatchObject({ code: "invalid_token" });
    }
    for (const path of ["/v1/r", `/v1/r?token=${token}`, `/v1/r?t=${"A".repeat(8192)}`]) {
      expect((await service.follow(path)).status).toBe(400);
    }
  });

  it("shows a person a page of two sentences, without scripts", async () => {
    const answer = await service.follow("/v1/r?t=broken", { headers: navigation });
    expect(answer.status).toBe(400);
    expect(answer.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(answer.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.text).toContain("This link is not complete");
    expect(answer.text).not.toMatch(/<script|broken|\son\w+=/);
  });

  it("says that an offer is gone when it is", async () => {
    const { linkTo, from } = await visitNew();
    storage.goneOffer = "offer_world";
    const answer = await service.follow(linkTo("offer_world"), { from });
    expect(answer.status).toBe(410);
    expect(answer.json()).toMatchObject({ code: "offer_gone" });
    const page = await service.follow(linkTo("offer_world"), { from, headers: navigation });
    expect([page.status, page.text.includes("has ended")]).toEqual([410, true]);
  });
});

describe("GET /v1/r of a visitor who has closed their half of the connection", () => {
  it("is billed, and answered with where to go", async () => {
    const { linkTo, from } = await visitNew();
    const { pathname, search } = new URL(linkTo("offer_premium"));
    const socket = connect({
      port: Number(new URL(service.url).port),
      host: "127.0.0.1",
      allowHalfOpen: true,
    });
    let received = "";
    socket.on("data", (data) => {
      received += data.toString();
    });
    const head = ["Host: offers.test", `User-Agent: ${chrome}`, `X-Forwarded-For: ${from}`];
    socket.end([`GET ${pathname}${search} HTTP/1.1`, ...head, "", ""].join("\r\n"));
    await once(socket, "end");
    expect(received).toMatch(/^HTTP\/1\.1 302 /);
    expect(received).toContain("\r\nLocation: https://brand.example/");
    expect(lastClick()).toMatchObject({ billed_micros: 500_000 });
  });
});

it("writes no error line on the way", () => {
  expect(service.errors).toEqual([]);
});
