import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedIn } from "../../testing/dash-calls.ts";
import { type KeyCalls, withKey } from "../../testing/key-calls.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

let service: TestService;
let key: KeyCalls;
beforeAll(async () => {
  service = await startTestService();
  key = await withKey(service);
  for (const website of ["ws_a", "ws_dev"]) {
    const { decision, offers } = await service.visit({ website });
    for (const offer of offers.slice(0, 3)) {
      const body = { requestId: decision.requestId, offerId: offer.id };
      await service.post("impression", body);
      await service.follow(offer.url);
    }
  }
});
afterAll(() => service.close());

const filters = [
  "",
  "format=csv",
  "groupBy=date",
  "groupBy=websiteKey",
  "groupBy=country",
  "groupBy=vertical",
  "groupBy=offer",
  "groupBy=brand,placement",
  "groupBy=device,hour",
  "groupBy=region",
  "groupBy=date,country&format=csv",
  "country=DE",
  "country=FR",
  "websiteKey=ws_a",
  "eventType=click",
  "eventType=blocked,click",
  "traffic=test",
  "traffic=test&format=csv",
  "surface=overlay",
  "timeZone=%2B02:00&groupBy=date",
  "from=2026-11-01&to=2026-11-20",
  "from=2026-11-20&to=2026-11-19",
  "groupBy=nothing",
  "nothing=1",
];

describe("GET /dash/api/report", () => {
  it.each(filters)("answers what a key of the publisher is answered, byte for byte: %s", async (query) => {
    const { get } = await signedIn(service);
    const [own, ofKey] = [
      await get(`/dash/api/report?${query}`),
      await key.get(`/v1/reports/aggregate?${query}`),
    ];
    expect(own.status).toBe(ofKey.status);
    expect(own.status === 200 || own.status === 400).toBe(true);
    expect(own.headers["content-type"]).toBe(ofKey.headers["content-type"]);
    expect(own.headers["content-disposition"]).toBe(ofKey.headers["content-disposition"]);
    // What is saved as a file is marked for spreadsheets; what programs read is not.
    const mark = query.includes("format=csv") ? "\uFEFF" : "";
    if (own.status === 200) expect(own.text).toBe(`${mark}${ofKey.text}`);
  });

  it("is about something", async () => {
    const { get } = await signedIn(service);
    const { totals } = (await get("/dash/api/report")).json<{ totals: Record<string, number> }>();
    expect(totals.clicks).toBeGreaterThan(0);
  });

  it("wants the publisher's name of whoever works for several, and knows no stranger's", async () => {
    const both = await signedIn(service, { publishers: { publisher_a: "viewer", publisher_b: "viewer" } });
    expect((await both.get("/dash/api/report")).json()).toMatchObject({ code: "missing_parameter" });
    expect((await both.get("/dash/api/report?publisher=publisher_b")).status).toBe(200);
    const { get } = await signedIn(service);
    const [others, unknown] = [
      await get("/dash/api/report?publisher=publisher_b"),
      await get("/dash/api/report?publisher=publisher_x"),
    ];
    expect(others.status).toBe(404);
    expect(others.alike).toBe(unknown.alike);
    expect((await service.call("/dash/api/report", { origin: null })).status).toBe(401);
  });
});
