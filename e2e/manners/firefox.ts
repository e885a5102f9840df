import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Bidi, connectBidi } from "./bidi.ts";
import { endProcess, lineOf } from "./child.ts";
import type { Engine, Tab, Visitor } from "./engine.ts";

/** Firefox, driven by WebDriver BiDi, which it speaks without a driver in between. */
export async function startFirefox(path: string, visitor: Visitor): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), "manners-firefox-"));
  await writeFile(join(profile, "user.js"), preferences(visitor));
  const words = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"];
  const child = spawn(path, [...words, "--width=1280", "--height=900"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, MOZ_REMOTE_SETTINGS_DEVTOOLS: "0" },
  });
  const end = async (): Promise<void> => {
    await endProcess(child);
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    const bidi = await connect(child);
    return {
      open: () => openTab(bidi),
      close: async () => {
        // One that does not answer any more is ended as a process.
        await Promise.race([bidi.send("browser.close", {}).catch(() => undefined), pause(3000)]);
        bidi.close();
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

const connect = async (child: ChildProcess): Promise<Bidi> => {
  const [, address] = await lineOf(child, "stderr", /WebDriver BiDi listening on (ws:\S+)/);
  const bidi = await connectBidi(`${address}/session`);
  await bidi.send("session.new", { capabilities: {} });
  await bidi.send("session.subscribe", { events: ["log.entryAdded"] });
  return bidi;
};

type LogEntry = { level: string; text: string | null; source: { context?: string } };

/** Each tab with cookies, storage and a cache of its own. */
const openTab = async (bidi: Bidi): Promise<Tab> => {
  const { userContext } = await bidi.send<{ userContext: string }>("browser.createUserContext", {});
  const { context } = await bidi.send<{ context: string }>("browsingContext.create", {
    type: "tab",
    userContext,
  });
  await bidi.send("browsingContext.activate", { context });
  const faults: string[] = [];
  bidi.onEvent((method, params) => {
    const { level, text, source } = params as LogEntry;
    if (method === "log.entryAdded" && level === "error" && source.context === context) {
      faults.push(text ?? "");
    }
  });
  return {
    goto: async (url) => {
      await bidi.send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    evaluate: async (expression) => {
      const answer = await bidi.send<Evaluated>("script.evaluate", {
        expression,
        target: { context },
        awaitPromise: true,
      });
      if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
      return answer.result.value;
    },
    press: async (key) => {
      const value = keyValues[key];
      const actions = [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ];
      await bidi.send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
    },
    faults: () => faults,
    close: async () => {
      await bidi.send("browser.removeUserContext", { userContext });
    },
  };
};

type Evaluated =
  | { type: "success"; result: { type: "string"; value: string } }
  | { type: "exception"; exceptionDetails: { text: string } };

/** WebDriver's code points for keys that type no character. */
const keyValues = { Escape: "\uE00C", Tab: "\uE004" };

const preferences = (visitor: Visitor): string => {
  const cautious = {
    "ui.systemUsesDarkTheme": 1,
    "ui.prefersReducedMotion": 1,
    "privacy.globalprivacycontrol.enabled": true,
    "privacy.globalprivacycontrol.functionality.enabled": true,
  };
  const ordinary = {
    "ui.systemUsesDarkTheme": 0,
    "ui.prefersReducedMotion": 0,
    // Firefox repeats a request up to ten times when a connection ends without an answer; here each one is counted.
    "network.http.request.max-attempts": 1,
    "intl.accept_languages": "en-US",
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
  };
  const chosen = { ...ordinary, ...(visitor === "cautious" ? cautious : {}) };
  return Object.entries(chosen)
    .map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
    .join("");
};
