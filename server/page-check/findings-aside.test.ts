import { expect, test } from "vitest";
import { createFindingsAside } from "./findings-aside.ts";

const wanted = { baseUrl: "https://offers.example", publicKey: "pub_a", websiteKey: "ws_a" };
const page = (html: string) =>
  ({ outcome: "page", url: "https://shop.example/", html, isWhole: true, policies: [] }) as const;
const program = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`);
/** Longer than any test, where what ends the thread is something else. */
const patient = { patienceMs: 600_000 };

test("a page is looked at aside, and so is the next one", async () => {
  const findings = createFindingsAside(patient);
  const missing = [{ code: "tag_missing", isWhole: true }];
  expect(await Promise.all([findings(page(""), wanted), findings(page("<p>"), wanted)])).toEqual([
    missing,
    missing,
  ]);
});

test("one that is never done with is given up, and meanwhile this thread goes on", async () => {
  const findings = createFindingsAside({ patienceMs: 300, script: program("for (;;);") });
  let isDone = false;
  const found = findings(page(""), wanted).finally(() => {
    isDone = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isDone).toBe(false);
  expect(await found).toEqual([{ code: "unreachable", why: "could not be read within 0.3 s" }]);
});

test.each([
  ["that has the thread fail", `throw new Error("no")`],
  ["after which the thread has ended", `process.exit(0)`],
  ["that fills the thread's memory", `const all = []; for (;;) all.push(new Array(1e5).fill({}));`],
])("one %s is told as one that cannot be read", async (_, text) => {
  const findings = createFindingsAside({ ...patient, script: program(text) });
  expect(await findings(page(""), wanted)).toEqual([{ code: "unreachable", why: "could not be read" }]);
});
