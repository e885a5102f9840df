import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findPostgres } from "../../server/testing/postgres-server.ts";
import { isAlive, repositoryRoot } from "../program.ts";
import type { Service } from "../service.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { startProxy } from "./proxy.ts";

/** `npm run cluster`: two nodes on a PostgreSQL with a standby behind one address, and the demo site before them. */
const port = Number(process.env.PORT ?? 8787);
const demoPort = Number(process.env.DEMO_PORT ?? 8788);
const address = `http://127.0.0.1:${port}`;

const main = async (): Promise<void> => {
  if (findPostgres() === null) {
    throw new Error("there is no PostgreSQL: set PG_BIN to the folder of its programs (initdb, postgres)");
  }
  console.log(
    "Starting PostgreSQL, its standby and two nodes. The first one fills the database with the demo.",
  );
  const cluster = await startCluster({
    standby: "synchronous",
    baseUrl: address,
    environment: { SEED_DEMO: "traffic", TRUST_PROXY_HOPS: "1", DEMO_PORT: String(demoPort) },
  });
  const proxy = await startProxy(
    cluster.nodes.map(({ url }) => url),
    { port },
  );
  const site = spawn(process.execPath, [join(repositoryRoot, "demo-site/main.ts")], {
    env: { ...process.env, PORT: String(port), BASE_URL: address, DEMO_PORT: String(demoPort) },
    stdio: "inherit",
  });
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  tell(cluster);
  const watching = watch(cluster, stopped);
  await stopped;
  console.log("\nStopping.");
  site.kill();
  await watching;
  await proxy.close();
  await cluster.stop();
};

const tell = ({ nodes, primary, standby }: Cluster): void => {
  const [first] = nodes;
  // What the first node says to whoever started it, and no line of its log.
  const said = (first?.log() ?? "").split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  console.log(`
The service, by way of a proxy: ${address}
The demo site:                  http://localhost:${demoPort}
${said.slice(1).join("\n")}

  node 1      process ${nodes[0]?.pid}   ${nodes[0]?.url}
  node 2      process ${nodes[1]?.pid}   ${nodes[1]?.url}
  primary     process ${primary().pid()}   port ${primary().port}
  standby     process ${standby()?.pid()}   port ${standby()?.port}

End any of them ("kill -9 PROCESS") and look at the dashboard: it goes on. What was ended is started again.
Ctrl+C ends all of them and removes their files.
`);
};

/** Plays the tools that an operator has: starts nodes again, promotes the standby of a primary that is gone, and makes another. */
const watch = async (cluster: Cluster, stopped: Promise<unknown>): Promise<void> => {
  let isStopped = false;
  void stopped.then(() => {
    isStopped = true;
  });
  while (!isStopped) {
    await Promise.race([pause(300), stopped]);
    if (isStopped) return;
    for (const [at, node] of cluster.nodes.entries()) {
      if (isAlive(node.pid)) continue;
      console.log(`Node ${at + 1} is gone. It is started again.`);
      await restart(node);
      console.log(`Node ${at + 1} is back as process ${node.pid}.`);
    }
    if (!isAlive(cluster.primary().pid())) {
      console.log("The primary is gone. The standby takes its place.");
      await cluster.promote();
      console.log(`Port ${cluster.primary().port} takes writes now. A new standby is made.`);
      await follow(cluster);
    } else if (!isAlive(cluster.standby()?.pid() ?? 0)) {
      console.log("The standby is gone. Commits wait for nobody until there is a new one.");
      await cluster.goAlone();
      await follow(cluster);
    }
  }
};

const follow = async (cluster: Cluster): Promise<void> => {
  await cluster.replaceStandby();
  console.log(`The standby is process ${cluster.standby()?.pid()} at port ${cluster.standby()?.port}.`);
};

const restart = async (node: Service): Promise<void> => {
  try {
    await node.start();
  } catch (error) {
    console.error(`It did not start: ${error instanceof Error ? error.message : String(error)}`);
  }
};

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
