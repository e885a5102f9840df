import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRequestIds } from "../http/request-ids.ts";
import { createLimitedServer } from "../http/server-limits.ts";
import { createStartingListener } from "../starting.ts";
import { call } from "../testing/call.ts";
import { withKey } from "../testing/key-calls.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

const refuseNobody = () => {
  throw new Error("nobody sent what cannot be read");
};
const form = /^[\w-]{11}-[0-9a-z]+$/;
const site = "pub=pub_a&website=ws_a";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    wrapStore: (store) => ({
      ...store,
      isReady: () => {
        throw new Error("a fault of the test");
      },
    }),
  });
});
afterAll(() => service.close());

describe("the Request-Id", () => {
  const calls: [string, string, object, number][] = [
    ["a decision", `/v1/decision?${site}`, {}, 200],
    ["a refusal", `/v1/decision?${site}`, { origin: "https://evil.example" }, 403],
    [
      "a preflight",
      "/v1/offers",
      { method: "OPTIONS", headers: { "Access-Control-Request-Method": "GET" } },
      204,
    ],
    ["another method", "/v1/offers", { method: "PUT" }, 405],
    ["an event", "/v1/events/snippet-ping", { method: "POST", body: { websiteKey: "ws_a" } }, 204],
    ["a page that says what is wrong", "/v1/r?t=x", { origin: null, headers: { Accept: "text/html" } }, 400],
    ["a path that is none", "/v1/nothing", {}, 404],
    ["a path outside the interface", "/nothing", {}, 404],
    ["a broken path", "/v1/%E0%A4%A", {}, 400],
    ["the documentation", "/docs", {}, 200],
    ["a file that is none", "/c/none.js", {}, 404],
    ["health", "/healthz", {}, 200],
    ["a fault", "/readyz", {}, 500],
    ["a credential from a browser", "/v1/nothing", { headers: { Authorization: "Bearer x" } }, 403],
  ];

  it.each(calls)("stands on the answer to %s, once", async (_name, path, given, status) => {
    const answer = await service.call(path, given);
    expect([answer.status, String(answer.headers["request-id"])]).toEqual([
      status,
      expect.stringMatching(form),
    ]);
    if (!String(answer.headers["content-type"]).includes("problem")) return;
    expect(answer.json()).toMatchObject({ instance: answer.headers["request-id"] });
  });

  it("is another one for each request, and never the caller's", async () => {
    const ids = new Set<unknown>();
    for (let at = 0; at < 50; at += 1) {
      const { headers } = await service.call("/healthz", { headers: { "Request-Id": "mine" } });
      ids.add(headers["request-id"]);
    }
    expect([ids.size, ids.has("mine")]).toEqual([50, false]);
  });

  it("can be read by the page of a registered origin", async () => {
    const { headers } = await service.call(`/v1/decision?${site}`);
    expect(String(headers["access-control-expose-headers"]).split(",")).toContain("Request-Id");
  });

  it("stands in the line of the log that tells of a fault", async () => {
    service.errors.length = 0;
    const { headers } = await service.call("/readyz");
    expect(service.errors).toMatchObject([{ request: headers["request-id"], path: "/readyz" }]);
  });

  it("stands on what is answered before the service has started", async () => {
    const server = createLimitedServer(
      createStartingListener({
        baseUrl: () => "https://offers.test",
        randomBytes: (size) => Buffer.alloc(size, 1),
      }),
      { isBehindProxy: false, refuse: refuseNobody, answerLate: refuseNobody },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const answers = [
      await call(`http://127.0.0.1:${port}/readyz`),
      await call(`http://127.0.0.1:${port}/healthz`),
    ];
    server.close();
    server.closeAllConnections();
    // The process lives while the database is read, and whoever ends it then has it begin again.
    expect(answers.map(({ status }) => status)).toEqual([503, 200]);
    expect(answers.map(({ headers }) => headers["request-id"])).toEqual(["AQEBAQEBAQE-1", "AQEBAQEBAQE-2"]);
    expect(answers[0]?.json()).toMatchObject({ instance: "AQEBAQEBAQE-1", code: "unavailable" });
  });

  it("differs between requests that share a connection", async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let got = "";
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () =>
        socket.end(`${"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3)}`),
      );
      socket.on("data", (data) => {
        got += data;
      });
      socket.on("close", () => resolve(got));
      socket.on("error", reject);
    });
    const ids = [...text.matchAll(/Request-Id: (\S+)/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([3, 3]);
  });

  it("begins anew with each process, which two of them do not share", async () => {
    const { get } = await withKey(service);
    expect((await get("/v1/offers")).headers["request-id"]).toMatch(form);
    const [one, other] = [1, 2].map((byte) => createRequestIds((size) => Buffer.alloc(size, byte))());
    expect(one).not.toBe(other);
  });
});
