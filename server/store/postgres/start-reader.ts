import type { PostgresAddress } from "../database-address.ts";
import type { EngineOptions, Reader } from "../engine.ts";

export function startReader(
  _options: { address: PostgresAddress } & Pick<EngineOptions, "eventsKeptDays" | "log" | "onDeath">,
): Reader {
  throw new Error("the reader of PostgreSQL is not built yet");
}
