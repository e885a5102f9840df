import { expect, test, vi } from "vitest";
import { pageRecord } from "../loader/page-record.ts";
import { listeners } from "./listeners.ts";

const website = "ws_a";

test("a listener gets what has happened before it came, then what happens, in order and by its name", () => {
  const page = pageRecord({});
  page.tell("decision", { website, allowed: false });
  const { listen: on } = listeners(page);
  page.tell("shown", { website, offers: 3 });
  const decided = vi.fn();
  const shown = vi.fn();
  on("decision", decided);
  on("shown", shown);
  page.tell("shown", { website, offers: 2 });
  expect(decided.mock.calls).toEqual([[{ website, allowed: false }]]);
  expect(shown.mock.calls).toEqual([[{ website, offers: 3 }], [{ website, offers: 2 }]]);
});

test("a callback that throws or rejects disturbs neither the others nor us", async () => {
  const page = pageRecord({});
  const { listen: on } = listeners(page);
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  const last = vi.fn();
  on("shown", () => {
    throw new Error("the page's own mistake");
  });
  on("shown", async () => {
    throw new Error("a later one");
  });
  on("shown", last);
  expect(() => page.tell("shown", { website })).not.toThrow();
  expect(last).toHaveBeenCalledTimes(1);
  await new Promise(setImmediate);
  process.off("unhandledRejection", unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test("what is no function is not called, and no callback can change what the next one gets", () => {
  const page = pageRecord({});
  const { listen: on } = listeners(page);
  on("shown", "nothing");
  on("shown", (detail: { website: string }) => {
    detail.website = "ws_b";
  });
  const second = vi.fn();
  on("shown", second);
  page.tell("shown", { website });
  expect(second).toHaveBeenCalledWith({ website });
});

test("a listener is heard once for each event, however often it was added", () => {
  const page = pageRecord({});
  page.tell("decision", { website });
  const { listen: on } = listeners(page);
  const callback = vi.fn();
  for (const event of ["decision", "decision", "shown", "shown"]) on(event, callback);
  page.tell("shown", { website, offers: 1 });
  expect(callback.mock.calls).toEqual([[{ website }], [{ website, offers: 1 }]]);
});

test("a listener that another adds hears what is being told once", () => {
  const page = pageRecord({});
  const { listen: on } = listeners(page);
  const second = vi.fn();
  on("shown", () => on("shown", second));
  page.tell("shown", { website });
  expect(second).toHaveBeenCalledTimes(1);
});

test("a listener that is taken away hears no more, also while it is told, and may come back", () => {
  const page = pageRecord({});
  const { listen: on, unlisten: off } = listeners(page);
  const once = vi.fn(() => off("shown", once));
  const other = vi.fn();
  page.tell("shown", { website, offers: 1 });
  page.tell("shown", { website, offers: 2 });
  off("shown", once);
  on("shown", once);
  on("closed", once);
  on("shown", other);
  off("shown", other);
  off("shown", "nothing");
  page.tell("shown", { website, offers: 3 });
  page.tell("closed", { website });
  expect(once.mock.calls).toEqual([[{ website, offers: 1 }], [{ website }]]);
  expect(other).toHaveBeenCalledTimes(2);
  on("shown", other);
  page.tell("shown", { website, offers: 4 });
  expect(other).toHaveBeenCalledTimes(6);
});

test("what belongs to a view of the page that is over is told to those who listen, and to nobody later", () => {
  const page = pageRecord({});
  const former = {};
  const present = {};
  page.tell("decision", { website }, former);
  const { listen: on, beginView } = listeners(page);
  const [early, late, failed] = [vi.fn(), vi.fn(), vi.fn()];
  on("closed", early);
  on("error", failed);
  beginView([former]);
  page.tell("closed", { website, reason: "page" }, former);
  page.tell("error", { website }, former);
  expect([early.mock.calls.length, failed.mock.calls.length]).toEqual([1, 0]);
  for (const event of ["decision", "closed", "error"]) on(event, late);
  expect(late).not.toHaveBeenCalled();
  page.tell("error", { website }, present);
  expect(late).toHaveBeenCalledTimes(1);
  expect(page.log.map(([event]) => event)).toEqual(["error"]);
});
