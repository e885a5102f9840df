import { spawn } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { freePort } from "../../server/testing/free-port.ts";
import { endProcess, lineOf } from "./child.ts";
import { ask, type Engine, type Tab, type Visitor } from "./engine.ts";

/** WebKitGTK on a virtual screen, driven by W3C WebDriver: as near to Safari as one gets without a Mac. */
export async function startWebkit(driverPath: string, visitor: Visitor): Promise<Engine> {
  const home = await mkdtemp(join(tmpdir(), "manners-webkit-"));
  await mkdir(join(home, ".config/gtk-3.0"), { recursive: true });
  await writeFile(join(home, ".config/gtk-3.0/settings.ini"), gtkSettings(visitor));
  const screen = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const started = [screen];
  const end = async (): Promise<void> => {
    for (const child of started.toReversed()) await endProcess(child);
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const [, display] = await lineOf(screen, screen.stdio[3] as Readable, /(\d+)\n/);
    const port = await freePort();
    const driver = spawn(driverPath, ["-p", String(port)], {
      stdio: "ignore",
      env: {
        PATH: process.env.PATH,
        LANG: "en_US.UTF-8",
        HOME: home,
        DISPLAY: `:${display}`,
        ...(visitor === "cautious" ? { GTK_THEME: "Adwaita:dark" } : {}),
      },
    });
    started.push(driver);
    const session = await openSession(`http://127.0.0.1:${port}`);
    const tab = tabOf(session);
    await untilFocused(tab);
    return {
      // One window serves all pages: a second one stays behind the first, and draws nothing.
      open: () => Promise.resolve(tab),
      close: async () => {
        await session("DELETE", "").catch(() => undefined);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

type Session = <T>(method: "POST" | "GET" | "DELETE", path: string, body?: object) => Promise<T>;

const openSession = async (driver: string): Promise<Session> => {
  const deadline = Date.now() + 90_000;
  const isUp = () =>
    fetch(`${driver}/status`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await isUp())) {
    if (Date.now() > deadline) throw new Error("WebKitWebDriver was not ready in time");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  const { sessionId } = await call<{ sessionId: string }>("POST", `${driver}/session`, { capabilities });
  const session: Session = (method, path, body) =>
    call(method, `${driver}/session/${sessionId}${path}`, method === "POST" ? (body ?? {}) : undefined);
  await session("POST", "/timeouts", { script: 20_000, pageLoad: 30_000 });
  await session("POST", "/window/rect", { x: 0, y: 0, width: 1280, height: 900 });
  return session;
};

const call = async <T>(method: string, url: string, body?: object): Promise<T> => {
  const answer = await fetch(url, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
};

const tabOf = (session: Session): Tab => ({
  goto: (url) => session("POST", "/url", { url }),
  evaluate: async (expression) => {
    const text = await session<string>("POST", "/execute/async", {
      script: `const done = arguments[arguments.length - 1];
        ${expression}.then(done, (error) => done(JSON.stringify({ error: String(error) })));`,
      args: [],
    });
    const { error } = JSON.parse(text) as { error?: string };
    if (error !== undefined) throw new Error(error);
    return text;
  },
  press: (key) => {
    const value = { Escape: "\uE00C", Tab: "\uE004" }[key];
    const actions = [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ];
    return session("POST", "/actions", { actions: [{ type: "key", id: "keys", actions }] });
  },
  faults: () => null,
  close: () => session("POST", "/url", { url: "about:blank" }),
});

/** A page that asks for the focus in the way the host pages do. */
const focusPage =
  "data:text/html,<!doctype html><title>Focus</title><button id=first autofocus>Here</button>";

/**
 * WebKit loads its first page before its window has drawn a frame, and gives an `autofocus` only with a frame. On a
 * machine that is slow to start it, an overlay could open before the first page under test had its focus, and would
 * then have nothing to give back.
 */
const untilFocused = async (tab: Tab): Promise<void> => {
  const deadline = Date.now() + 90_000;
  const isFocused = () => document.hasFocus() && document.activeElement?.id === "first";
  await tab.goto(focusPage);
  while (!(await ask(tab, isFocused))) {
    if (Date.now() > deadline) {
      throw new Error("WebKit's window was given no focus within 30 s, so no page can be tested in it");
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** The browser of WebKitGTK, where Debian and its derivatives install it. */
const miniBrowser = (): string =>
  globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser").find((path) => existsSync(path)) ?? "MiniBrowser";

// No pageLoadStrategy but the usual one: with `eager` every third session hangs.
const capabilities = {
  alwaysMatch: { "webkitgtk:browserOptions": { binary: miniBrowser(), args: ["--automation"] } },
};

/** GTK's settings for the likings of a visitor. */
const gtkSettings = (visitor: Visitor): string =>
  visitor === "ordinary"
    ? "[Settings]\n"
    : "[Settings]\ngtk-application-prefer-dark-theme=true\ngtk-enable-animations=false\n";
