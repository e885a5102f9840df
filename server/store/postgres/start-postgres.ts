import type { PostgresAddress } from "../database-address.ts";
import type { Engine, EngineOptions } from "../engine.ts";
import { prepareRateWindows } from "./rate-windows.ts";
import { startReader } from "./start-reader.ts";
import { type OpenSpool, startWriter } from "./start-writer.ts";

/** Starts a thread that writes the database and one that reads it, each with connections of its own. */
export function startPostgres(
  address: PostgresAddress,
  options: EngineOptions & { openSpool: OpenSpool; disk: Engine["disk"] },
): Engine {
  const { eventsKeptDays, log, onExhausted, onDeath, openSpool, disk } = options;
  return {
    reader: startReader({ address, eventsKeptDays, log, onDeath }),
    writer: startWriter({ address, log, onExhausted, onDeath, openSpool }),
    windows: prepareRateWindows(address.url),
    // The server's is not this machine's to know: this is the node's own, on which its spool lies.
    disk,
  };
}
