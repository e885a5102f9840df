import type { Config } from "./config.ts";
import type { Log } from "./core/log-events.ts";
import { isLoopbackHost } from "./core/loopback-host.ts";
import { fullDisk } from "./full-disk.ts";
import { openCatalogue, openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";

type Ports = { log: Log; baseUrl: string; onFatal: (error: Error) => void };
type Prepared = { store: Store; demoToken: string | null };

/**
 * Opens and migrates the database, and fills an empty one with the demo where that is wanted. The demo's user is signed in
 * by a link that nobody but this machine can follow. Of a full disk it says so in the words of the command line.
 */
export async function prepareStore(config: Config, ports: Ports): Promise<Prepared> {
  try {
    return await prepare(config, ports);
  } catch (error) {
    const full = fullDisk(config.database, error);
    throw full === null ? error : new Error(full, { cause: error });
  }
}

const prepare = async (config: Config, { log, baseUrl, onFatal }: Ports): Promise<Prepared> => {
  const { database, eventsKeptDays } = config;
  const store = await openStore({
    database,
    eventsKeptDays,
    clock: Date.now,
    log,
    onFatal,
  });
  if (config.seedDemo === "nothing") return { store, demoToken: null };
  // Loaded when it is asked for: a service that fills no demo needs no query builder on its main thread.
  const [{ fillDemo }, { demoLink }] = await Promise.all([
    import("./demo/fill-demo.ts"),
    import("./demo/link.ts"),
  ]);
  const catalogue = await openCatalogue({
    database,
    actor: { kind: "command_line", name: "demo data" },
    clock: Date.now,
  });
  try {
    await fillDemo(catalogue, config, catalogue.clock());
    // Read anew in any case, for another node may have filled the database a moment ago.
    await store.reload();
    const isLocal = !config.production && isLoopbackHost(new URL(baseUrl).hostname);
    // Where the database is locked just then, the demo starts without a link.
    const demoToken = isLocal ? await demoLink(catalogue, catalogue.clock()).catch(() => null) : null;
    return { store, demoToken };
  } finally {
    await catalogue.close();
  }
};
