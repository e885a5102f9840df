import { atLeast, type Check, equal } from "../checks.ts";
import { startCluster } from "../cluster/cluster.ts";
import { visitorsEnvironment } from "./scene.ts";

/** By each of these a server may lose what it has acknowledged with the power. */
const weak = [
  ["synchronous_commit", "off"],
  ["synchronous_commit", "local"],
  ["fsync", "off"],
  ["full_page_writes", "off"],
] as const;

/** Has a server keep less than it acknowledges, by each setting in turn: the service does not start on it unless it is told to. */
export async function weakSettings(): Promise<Check[]> {
  const cluster = await startCluster({ nodes: 1, environment: visitorsEnvironment });
  const [node] = cluster.nodes;
  if (node === undefined) throw new Error("there is no node");
  const checks: Check[] = [];
  try {
    for (const [name, value] of weak) {
      await node.terminate();
      await cluster.primary().administer(`alter system set ${name} = ${value}`);
      await cluster.primary().administer("select pg_reload_conf()");
      const said = await node.start().then(
        () => "it started",
        (error: Error) => error.message,
      );
      checks.push(
        equal(`${name} = ${value} is refused`, String(said.includes(`${name} is ${value}`)), "true"),
      );
      await cluster.primary().administer(`alter system reset ${name}`);
      await cluster.primary().administer("select pg_reload_conf()");
    }
    await node.terminate();
    await node.start();
    checks.push(atLeast("it starts once nothing is weak", Number(node.pid > 0), 1));
    return checks;
  } finally {
    await cluster.stop();
  }
}
