import { expect, test } from "@playwright/test";
import { foundEngine, type Machine, prepareEngines } from "./find-engine.ts";

/** A Linux container with Debian's packages and nothing installed; each case adds what it is about. */
const container = (has: Partial<Machine> & { files?: readonly string[] } = {}) => {
  const files = new Set(has.files);
  const ran: string[] = [];
  const said: string[] = [];
  const environment: Machine["environment"] = { PATH: "/usr/local/bin:/usr/bin" };
  const machine: Machine = {
    platform: "linux",
    environment,
    exists: (path) => files.has(path),
    works: (command, words) => {
      ran.push([command, ...words].join(" "));
      if (words.includes("firefox-esr")) files.add("/usr/bin/firefox-esr");
      if (words.includes("xvfb")) files.add("/usr/bin/Xvfb").add("/usr/bin/WebKitWebDriver");
      return true;
    },
    isRoot: true,
    isFirstTry: () => true,
    say: (line) => said.push(line),
    ...has,
  };
  prepareEngines(machine);
  const found = { firefox: machine.environment.FIREFOX_PATH, webkit: machine.environment.WEBKIT_DRIVER_PATH };
  return { ran, said, found };
};

const both = { firefox: "/usr/bin/firefox-esr", webkit: "/usr/bin/WebKitWebDriver" };
const neither = { firefox: "", webkit: "" };

test("engines that are there are used, and nothing is run", () => {
  const { found, ran, said } = container({ files: [...Object.values(both), "/usr/bin/Xvfb"] });
  expect(found).toEqual(both);
  expect([...ran, ...said]).toEqual([]);
});

test("as root with packages at hand the missing ones are installed, and that is said", () => {
  const { found, ran, said } = container({ files: ["/usr/bin/firefox-esr"] });
  expect(found).toEqual(both);
  expect(ran.filter((line) => line.includes("install"))).toHaveLength(1);
  expect(said).toHaveLength(1);
});

test("a WebKit without a screen to draw on is not enough", () => {
  const { found } = container({ files: ["/usr/bin/WebKitWebDriver"], isRoot: false });
  expect(found.webkit).toBe("");
});

const refusals: Record<string, Partial<Machine>> = {
  "on anybody's own account": { isRoot: false },
  "on a Mac": { platform: "darwin" },
  "where there is no apt": { works: () => false },
  "after it has failed once": { isFirstTry: () => false },
};
for (const [where, has] of Object.entries(refusals)) {
  test(`${where} nothing is installed, and each is skipped with a line that says how to have it`, () => {
    const { found, ran, said } = container(has);
    expect(found).toEqual(neither);
    expect(ran.filter((line) => line.includes("install"))).toEqual([]);
    expect(said.filter((line) => line.includes("apt-get install"))).toHaveLength(2);
  });
}

test("one that is switched off by an empty variable stays off", () => {
  const environment = { PATH: "/usr/bin", FIREFOX_PATH: "", WEBKIT_DRIVER_PATH: "" };
  const { found, ran } = container({ environment });
  expect(found).toEqual(neither);
  expect(ran).toEqual([]);
});

test("what was not found is told as the reason for skipping", () => {
  expect(foundEngine("webkit", {})).toEqual({
    path: "",
    absence: expect.stringContaining("webkit2gtk-driver, xvfb"),
  });
  expect(foundEngine("firefox", { FIREFOX_PATH: "/opt/firefox" })).toEqual({
    path: "/opt/firefox",
    absence: null,
  });
});
