import { type Service, type ServiceOptions, startService } from "../service.ts";
import { startCluster } from "./cluster.ts";

export type Engine = "sqlite" | "postgres";

/** Processes that share one set of books. */
export type Nodes = {
  /** Whose command line is used, and through which the books are read. */
  first: Service;
  all: readonly Service[];
  stop(): Promise<void>;
};

export type NodesOptions = {
  engine?: Engine | undefined;
  nodes?: number;
  environment?: Record<string, string>;
  /** Of the first one, on SQLite. */
  dataDir?: string;
  enclosure?: NonNullable<ServiceOptions["enclosure"]>;
};

/** Starts them one after the other: on one data directory, or on a PostgreSQL of their own. */
export async function startNodes({
  engine = "sqlite",
  nodes = 1,
  environment = {},
  dataDir,
  enclosure,
}: NodesOptions): Promise<Nodes> {
  if (engine === "postgres") {
    const cluster = await startCluster({ nodes, environment });
    return asNodes(cluster.nodes, cluster.stop);
  }
  const given = { ...(dataDir !== undefined && { dataDir }), ...(enclosure && { enclosure }) };
  const first = await startService({ environment, ...given });
  const others: Service[] = [];
  const stop = async (): Promise<void> => {
    // The data directory is the first one's, which removes it.
    for (const service of [...others, first]) await service.stop();
  };
  try {
    while (others.length + 1 < nodes)
      others.push(await startService({ environment, dataDir: first.dataDir }));
    return asNodes([first, ...others], stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Takes `--engine postgres` out of the command line. */
export function takeEngine(words: readonly string[]): { engine: Engine; words: string[] } {
  const at = words.indexOf("--engine");
  if (at < 0) return { engine: "sqlite", words: [...words] };
  const engine = words[at + 1];
  if (engine !== "sqlite" && engine !== "postgres") {
    throw new Error("--engine: expected sqlite or postgres");
  }
  return { engine, words: words.toSpliced(at, 2) };
}

const asNodes = (all: readonly Service[], stop: () => Promise<void>): Nodes => {
  const [first] = all;
  if (first === undefined) throw new Error("there is no node");
  return { first, all, stop };
};
