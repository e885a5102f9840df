import { expect, test } from "@playwright/test";
import { findBrowser, type Machine } from "./find-browser.ts";

/** A Linux machine with nothing on it; each case adds what it is about. */
const bareMachine = (has: Partial<Machine> & { files?: readonly string[] } = {}) => {
  const files = new Set(has.files);
  const ran: string[] = [];
  const said: string[] = [];
  const machine: Machine = {
    platform: "linux",
    environment: { PATH: "/usr/local/bin:/usr/bin" },
    exists: (path) => files.has(path),
    works: () => false,
    run: (command, words) => {
      ran.push([command, ...words].join(" "));
      files.add("/usr/bin/chromium");
    },
    rest: () => undefined,
    isRoot: false,
    ownChromium: "/home/dev/.cache/ms-playwright/chromium-1/chrome",
    say: (line) => said.push(line),
    ...has,
  };
  return { machine, ran, said };
};

const patient = "-o DPkg::Lock::Timeout=120 -o Acquire::Retries=3 -qq";

const runs = (...commands: string[]): Pick<Machine, "works"> => ({
  works: (command, words) => commands.includes([command, ...words].join(" ")),
});

test("CHROMIUM_PATH wins over Playwright's own browser", () => {
  const own = "/home/dev/.cache/ms-playwright/chromium-1/chrome";
  const { machine } = bareMachine({
    environment: { CHROMIUM_PATH: "/opt/chrome" },
    files: ["/opt/chrome", own],
  });
  expect(findBrowser(machine)).toBe("/opt/chrome");
});

test("a CHROMIUM_PATH that leads nowhere is an error, not a reason to take another", () => {
  const { machine } = bareMachine({
    environment: { CHROMIUM_PATH: "/opt/chrome", PATH: "/usr/bin" },
    files: ["/usr/bin/chromium"],
    ...runs("/usr/bin/chromium --version"),
  });
  expect(() => findBrowser(machine)).toThrow("/opt/chrome, which does not exist");
});

test("Playwright's own browser comes before the system's", () => {
  const { machine } = bareMachine({
    files: ["/usr/bin/chromium", "/home/dev/.cache/ms-playwright/chromium-1/chrome"],
    ...runs("/usr/bin/chromium --version"),
  });
  expect(findBrowser(machine)).toBe("/home/dev/.cache/ms-playwright/chromium-1/chrome");
});

test("a stub that does not run is passed over", () => {
  const { machine, ran } = bareMachine({
    files: ["/usr/bin/chromium-browser", "/usr/bin/google-chrome"],
    ...runs("/usr/bin/google-chrome --version"),
  });
  expect(findBrowser(machine)).toBe("/usr/bin/google-chrome");
  expect(ran).toEqual([]);
});

test("on a Mac and on Windows the usual places are searched", () => {
  const mac = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
  const onMac = bareMachine({ platform: "darwin", files: [mac], ...runs(`${mac} --version`) });
  expect(findBrowser(onMac.machine)).toBe(mac);
  const edge = "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe";
  const onWindows = bareMachine({
    platform: "win32",
    environment: { "PROGRAMFILES(X86)": "C:\\Program Files (x86)" },
    files: [edge],
  });
  expect(findBrowser(onWindows.machine)).toBe(edge);
});

test("as root on Debian the package is installed, and that is said", () => {
  const { machine, ran, said } = bareMachine({
    isRoot: true,
    ...runs("apt-get --version", "/usr/bin/chromium --version"),
  });
  expect(findBrowser(machine)).toBe("/usr/bin/chromium");
  expect(ran).toEqual([
    `apt-get update ${patient}`,
    `apt-get install -y ${patient} --no-install-recommends chromium`,
  ]);
  expect(said).toHaveLength(1);
});

for (const [failures, asked] of [
  [2, ["update", "update", "update", "install"]],
  [3, ["update", "update", "update"]],
] as const) {
  test(`lists that cannot be fetched ${failures} times are asked for three times`, () => {
    const ran: string[] = [];
    let rests = 0;
    const { machine } = bareMachine({
      isRoot: true,
      ...runs("apt-get --version", "/usr/bin/chromium --version"),
      exists: () => ran.includes("install"),
      run: (_, [deed = ""]) => {
        ran.push(deed);
        if (ran.length <= failures) throw new Error("busy");
      },
      rest: () => {
        rests += 1;
      },
    });
    if (asked.length === 3) expect(() => findBrowser(machine)).toThrow("busy");
    else expect(findBrowser(machine)).toMatch(/chromium$/);
    expect(ran).toEqual(asked);
    expect(rests).toBe(2);
  });
}

test("without root it is installed by a sudo that asks for no password", () => {
  const { machine, ran } = bareMachine(
    runs("apt-get --version", "sudo -n true", "/usr/bin/chromium --version"),
  );
  findBrowser(machine);
  expect(ran.every((line) => line.startsWith("sudo -n apt-get "))).toBe(true);
  expect(ran).toHaveLength(2);
});

test("with no browser and no right to install one, both ways out are named and nothing is run", () => {
  const { machine, ran } = bareMachine(runs("apt-get --version"));
  expect(() => findBrowser(machine)).toThrow(/playwright install chromium[\s\S]*CHROMIUM_PATH=/);
  expect(ran).toEqual([]);
});

test("all that Playwright turns off in Chromium is off", async ({ page }) => {
  await page.goto("chrome://version");
  const commandLine = await page.locator("#command_line").innerText();
  const lists = Array.from(
    commandLine.matchAll(/--disable-features=(\S+)/g),
    ([, names]) => names?.split(",") ?? [],
  );
  expect(lists).toHaveLength(2);
  const [byPlaywright = [], heeded = []] = lists;
  expect(heeded).toEqual(expect.arrayContaining(byPlaywright));
});
