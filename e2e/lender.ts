import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "@playwright/test";
import { inheritedEnvironment, repositoryRoot } from "../bench/program.ts";
import { startService } from "../bench/service.ts";
import { freePort } from "../server/testing/free-port.ts";
import type { VisitedWorld } from "./visit.ts";
import { openWire } from "./wire.ts";

/**
 * The demo's lender: its pages and its own server, which calls the service as the browser does, through the wire.
 * The service is seeded with the demo's data.
 */
export type Lender = VisitedWorld & { close: () => Promise<void> };

export async function openLender(environment: Record<string, string> = {}): Promise<Lender> {
  const [wire, demoPort] = [await openWire(), await freePort()];
  const service = await startService({
    baseUrl: wire.url,
    environment: { SEED_DEMO: "true", DEMO_PORT: String(demoPort), RATE_LIMIT_FACTOR: "10", ...environment },
  });
  wire.target = service.url;
  const site = spawn(process.execPath, ["demo-site/main.ts"], {
    cwd: repositoryRoot,
    env: { ...inheritedEnvironment(), DEMO_PORT: String(demoPort), BASE_URL: wire.url },
    stdio: "ignore",
  });
  const origin = `http://localhost:${demoPort}`;
  const close = async (): Promise<void> => {
    if (site.exitCode === null && site.signalCode === null) {
      const ended = once(site, "exit");
      site.kill("SIGTERM");
      await ended;
    }
    await wire.close();
    await service.stop();
  };
  try {
    const answers = () =>
      fetch(`${origin}/healthz`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(answers, { message: "the demo site" }).toBe(200);
    return { wire, host: { origin }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
