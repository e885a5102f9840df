import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { inheritedEnvironment, startProgram, wordsOf } from "../bench/program.ts";
import { untilReady } from "../bench/service.ts";
import { freePort } from "../server/testing/free-port.ts";
import { forbiddenIn } from "../server/testing/log-search.ts";

/** What `npm start` runs: the service and the demo site, seeded into an empty data directory. */
export type Demo = {
  service: string;
  site: string;
  /** Everything that it has printed so far. */
  printed: () => string;
  /** SIGTERM; resolves to the exit code. Rejects where what it has printed holds what no log may. */
  stop: () => Promise<number | null>;
};

export async function startDemo(): Promise<Demo> {
  const [servicePort, demoPort] = [await freePort(), await freePort()];
  const dataDir = await mkdtemp(join(tmpdir(), "offers-demo-"));
  const child = startProgram(await wordsOf("start"), dataDir, {
    ...inheritedEnvironment(),
    PORT: String(servicePort),
    DEMO_PORT: String(demoPort),
    DATA_DIR: dataDir,
    LOG_LEVEL: "warn",
    // The figures of a visit are told from nothing, and not from traffic of the past.
    SEED_DEMO: "true",
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const service = `http://127.0.0.1:${servicePort}`;
  const site = `http://localhost:${demoPort}`;
  const stop = async (): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    }
    await rm(dataDir, { recursive: true, force: true });
    // Its own address is what it says to whoever started it.
    const found = forbiddenIn(text.replaceAll(service, ""));
    if (found.length > 0) throw new Error(`what was printed has ${found.slice(0, 3).join("; ")}`);
    return child.exitCode;
  };
  try {
    await untilReady(service, child, () => text);
    await expect.poll(() => text, { message: "its words to whoever started it" }).toContain(site);
  } catch (error) {
    await stop();
    throw error;
  }
  return { service, site, printed: () => text, stop };
}
