import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, test, vi } from "vitest";
import { type Command, takeCommands } from "./command-queue.ts";

type Stub = { (...command: unknown[]): unknown; q?: Command[] };
type Page = Record<string, unknown> & { offerService?: Stub };

/** The stub that a publisher pastes. */
function stubbed(): Page & { offerService: Stub } {
  const stub: Stub = (...command) => {
    stub.q ||= [];
    return stub.q.push(command);
  };
  return { offerService: stub };
}

describe("a page with the stub", () => {
  test("hands over what was waiting, in order and once", () => {
    const page = stubbed();
    page.offerService("init", { website: "ws_a" });
    page.offerService("open");
    expect(takeCommands("offerService", () => {}, page)).toEqual([["init", { website: "ws_a" }], ["open"]]);
    expect(page.offerService.q).toHaveLength(0);
  });

  test("gets back what a command returns, once its script is there", () => {
    const page = stubbed();
    takeCommands("offerService", (command) => `${command[0]}!`, page);
    expect(page.offerService("decline", {})).toBe("decline!");
  });

  test("runs what comes later at once, also by a copy of the stub", () => {
    const page = stubbed();
    const copy = page.offerService;
    const run = vi.fn();
    takeCommands("offerService", run, page);
    copy("close");
    page.offerService("page");
    expect(run.mock.calls).toEqual([[["close"]], [["page"]]]);
  });
});

test("the documented stub gives back a number until its script comes, as the page on the tag says", () => {
  const text = readFileSync(new URL("../../docs/embed.md", import.meta.url), "utf8");
  const [, stub = ""] = /<script>(window\.offerService=.+)<\/script>/.exec(text) ?? [];
  const page: Page = {};
  runInNewContext(stub, Object.assign(page, { window: page }));
  expect(page.offerService?.("decline", {})).toBe(1);
  expect(text.replaceAll("\n", " ")).toContain("the stub above returns a number");
});

describe("a page without one", () => {
  test("gets exactly the name that was asked for", () => {
    const page: Page = {};
    expect(takeCommands("partnerOffers", () => {}, page)).toEqual([]);
    expect(Object.keys(page)).toEqual(["partnerOffers"]);
  });

  test("gets back what a command returns", () => {
    const page: Page = {};
    takeCommands("offerService", (command) => `${command[0]}!`, page);
    expect(page.offerService?.("decline", {})).toBe("decline!");
  });
});

test("a name that means something else on the page is left alone", () => {
  const theirs = { offers: 3 };
  const page: Page = { offerService: theirs as unknown as Stub };
  expect(takeCommands("offerService", () => {}, page)).toEqual([]);
  expect(page.offerService).toBe(theirs);
  expect(theirs).toEqual({ offers: 3 });
});

test("an element that happens to have the name as its id does not count as the page's own", () => {
  const page = Object.create({ offerService: {} }) as Page;
  takeCommands("offerService", () => {}, page);
  expect(typeof page.offerService).toBe("function");
});
