import type { PostgresAddress } from "../database-address.ts";
import type { EngineOptions, Writer } from "../engine.ts";

export function startWriter(
  _options: { address: PostgresAddress } & Pick<EngineOptions, "log" | "onExhausted" | "onDeath">,
): Writer {
  throw new Error("the writer of PostgreSQL is not built yet");
}
