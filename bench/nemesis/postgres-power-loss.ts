import { execFileSync } from "node:child_process";
import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type PostgresServer, preparePostgres } from "../../server/testing/postgres-server.ts";
import { keptChecks, startVisits } from "../acknowledged-visits.ts";
import { runCheckCommand } from "../books.ts";
import { atLeast, type Check, equal } from "../checks.ts";
import { startCluster } from "../cluster/cluster.ts";
import type { DurableImage } from "../machine/durable-image.ts";
import type { Service } from "../service.ts";
import { makeTemporaryFolder } from "../temporary-folder.ts";
import type { PowerLossOptions } from "./power-loss.ts";
import { makeWebsite, visitorsEnvironment } from "./scene.ts";

/** What differs from one loss of power to the next: the moment. */
const mostExtraMs = 100;
/** As long as the nodes may take to find their database again, and to record what they have kept. */
const backMs = 3000;

/**
 * Cuts the power of the database's machine under load: the server ends at once, and of its files nothing is left but what it had
 * made durable by then. On that it starts again, and whatever the nodes had acknowledged is there, once.
 */
export async function postgresPowerLoss(image: DurableImage, options: PowerLossOptions): Promise<Check[]> {
  const { directory: home, remove } = await makeTemporaryFolder("offers-power-");
  const durable = join(home, "durable");
  try {
    // The server runs as somebody else.
    await chmod(home, 0o755);
    const server = await preparePostgres({ environment: (dataDir) => image.environment(dataDir, durable) });
    copyFiles(server.dataDir, durable);
    await server.start();
    const cluster = await startCluster({ nodes: 2, server, environment: visitorsEnvironment });
    try {
      return await cutPower(cluster.nodes, server, durable, options);
    } finally {
      await cluster.stop();
    }
  } finally {
    await remove();
  }
}

const cutPower = async (
  nodes: readonly Service[],
  server: PostgresServer,
  durable: string,
  { clients, cuts, acksBetween, random }: PowerLossOptions,
): Promise<Check[]> => {
  const [first] = nodes;
  if (first === undefined) throw new Error("there is no node");
  const website = await makeWebsite(first);
  await pause(backMs);
  const visits = startVisits(nodes, website, { clients });
  for (let cut = 0; cut < cuts; cut += 1) {
    await visits.untilMore(acksBetween);
    await pause(random() * mostExtraMs);
    visits.expectRefusals(true);
    await server.kill();
    await rm(server.dataDir, { recursive: true });
    copyFiles(durable, server.dataDir);
    await rm(join(server.dataDir, "postmaster.pid"), { force: true });
    server.own();
    await server.start();
    await pause(backMs);
    visits.expectRefusals(false);
  }
  await visits.untilMore(acksBetween);
  await visits.stop();
  return [
    atLeast("events acknowledged", visits.log.acks, (cuts + 1) * acksBetween),
    ...(await keptChecks(first, visits.log)),
    equal("recount", await runCheckCommand(first, "recount"), ""),
    equal("audit", await runCheckCommand(first, "audit"), ""),
  ];
};

/** With their owners. */
const copyFiles = (from: string, to: string): void => void execFileSync("cp", ["-a", from, to]);
