import { expect, test } from "vitest";
import { readSettings, serviceEnvironment } from "./settings.ts";

test("without variables the documented addresses hold", () => {
  expect(readSettings({})).toEqual({
    ok: true,
    settings: {
      demoPort: 8788,
      demoOrigin: "http://localhost:8788",
      servicePort: 8787,
      serviceOrigin: "http://127.0.0.1:8787",
      secrets: { loan: expect.stringMatching(/^its_/), preview: expect.stringMatching(/^its_/) },
    },
  });
});

test("a blank variable counts as absent", () => {
  expect(readSettings({ PORT: " ", DEMO_PORT: "", BASE_URL: "", DEMO_INTEGRATION_SECRET: " " })).toEqual(
    readSettings({}),
  );
});

test("the service is named by its port, or by BASE_URL where there is one", () => {
  expect(readSettings({ PORT: "9001" })).toMatchObject({
    settings: { serviceOrigin: "http://127.0.0.1:9001" },
  });
  expect(readSettings({ PORT: "9001", BASE_URL: "https://offers.example/" })).toMatchObject({
    settings: { serviceOrigin: "https://offers.example", servicePort: 9001 },
  });
});

test("an operator's own secrets stand in for the seeded ones", () => {
  expect(
    readSettings({ DEMO_INTEGRATION_SECRET: " its_own ", DEMO_PREVIEW_SECRET: "its_other" }),
  ).toMatchObject({ settings: { secrets: { loan: "its_own", preview: "its_other" } } });
});

test.each([
  ["traffic of the past, where nobody says anything", {}, "traffic"],
  ["the same where it is blank", { SEED_DEMO: " " }, "traffic"],
  ["what the operator says", { SEED_DEMO: "true" }, "true"],
  ["nothing where the operator says so", { SEED_DEMO: "false" }, "false"],
  ["what a service of production has by itself", { NODE_ENV: "production" }, undefined],
])("the service fills an empty database with %s", (_what, env, expected) => {
  expect(serviceEnvironment({ PORT: "9001", ...env })).toEqual({
    PORT: "9001",
    ...env,
    ...(expected !== undefined && { SEED_DEMO: expected }),
  });
});

test.each([
  ["PORT", { PORT: "0" }],
  ["PORT", { PORT: "65536" }],
  ["PORT", { PORT: "80x" }],
  ["DEMO_PORT", { DEMO_PORT: "-1" }],
  ["DEMO_PORT", { DEMO_PORT: "1e3" }],
  ["DEMO_PORT", { PORT: "9001", DEMO_PORT: "9001" }],
  ["BASE_URL", { BASE_URL: "offers.example" }],
  ["BASE_URL", { BASE_URL: "ftp://offers.example" }],
  ["BASE_URL", { BASE_URL: "https://offers.example/path" }],
  ["BASE_URL", { BASE_URL: "https://user@offers.example" }],
])("a wrong %s is refused by name: %o", (name, env) => {
  expect(readSettings(env)).toMatchObject({ ok: false, message: expect.stringContaining(name) });
});
