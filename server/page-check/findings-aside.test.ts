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

test("one that fills the thread's memory is told as one that cannot be read", async () => {
  const script = program("const all = []; for (;;) all.push(new Array(1e5).fill({}));");
  const findings = createFindingsAside({ ...patient, script });
  expect(await findings(page(""), wanted)).toEqual([{ code: "unreachable", why: "could not be read" }]);
});

test.each([
  ["throws", program(`throw new TypeError("ours")`), "ours"],
  ["is not there", new URL("./no-such-thread.ts", import.meta.url), /no-such-thread/],
  ["ends without an answer", program("process.exit(0)"), "without an answer"],
])("a program that %s is a defect of ours, and the next page is looked at", async (_, script, message) => {
  const findings = createFindingsAside({ ...patient, script });
  await expect(findings(page(""), wanted)).rejects.toThrow(message);
  await expect(findings(page(""), wanted)).rejects.toThrow(message);
});
