import { afterAll, beforeAll, expect, it } from "vitest";
import { updateOffer } from "../store/catalogue/offers.ts";
import { rules } from "../testing/fixture.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const android =
  "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36";
const german = { "Accept-Language": "de-AT,de;q=0.9,en;q=0.8", "User-Agent": android };
const change = (patch: object) =>
  service.change((catalogue) => updateOffer(catalogue, "offer_best", patch, rules));
const isShown = async (headers: Record<string, string>): Promise<boolean> =>
  (await service.visit({ headers })).offers.some(({ id }) => id === "offer_best");

it.each([
  ["an offer for everybody", {}, true],
  ["one for the first language", { languages: ["de"] }, true],
  ["one for a language that comes later", { languages: ["en"] }, false],
  ["one for phones", { devices: ["phone"] }, true],
  ["one for desktops", { devices: ["desktop"] }, false],
  ["one that has ended", { endsAt: "2020-01-01" }, false],
  ["one that has begun", { startsAt: "2020-01-01" }, true],
])("%s is handed to whom it is meant for", async (_, patch, expected) => {
  await change({ ...{ languages: [], devices: [], startsAt: null, endsAt: null }, ...patch });
  expect(await isShown(german)).toBe(expected);
});

it.each([
  ["zh-Hant", "zh-TW,zh;q=0.9", true],
  ["zh-Hant", "zh-CN,zh;q=0.9", false],
  ["no", "nb-NO,nb;q=0.9", true],
])(
  "an offer for %s is handed to a browser that asks for %s as it reads it",
  async (language, asked, expected) => {
    await change({ languages: [language], devices: [], startsAt: null, endsAt: null });
    expect(await isShown({ "Accept-Language": asked, "User-Agent": android })).toBe(expected);
  },
);
