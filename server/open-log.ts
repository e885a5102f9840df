import type { Config } from "./config.ts";
import type { Log, LogEventName } from "./core/log-events.ts";
import { createLog } from "./log/create-log.ts";
import { createLineSink } from "./log/line-sink.ts";
import { databaseSecrets } from "./store/database-address.ts";
import type { TokenSecrets } from "./token-secrets.ts";

/**
 * JSON lines on stdout, and what `say` tells a person who has just started it. No reader of them holds a request up; `told`
 * hears of each event; of lost lines as the first one is lost, since whoever reads the others may be gone for good.
 */
export function openLog(
  { logLevel, database }: Pick<Config, "logLevel" | "database">,
  { current, others }: TokenSecrets,
  told: (event: LogEventName) => void,
): { log: Log; say: (text: string) => void; close: () => Promise<void> } {
  // Node makes a pipe or a socket one that nobody waits for once its stream is made; and whoever reads it may go.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const sink = createLineSink(1, {
    onLosing: () => told("log_lines_lost"),
    onLost: (lines) => log({ event: "log_lines_lost", lines }),
  });
  const secrets = [current, ...others, ...databaseSecrets(database)];
  /** Lost lines have been told when their line comes: counted twice, one fault would look like two. */
  const toldOnce = (event: LogEventName): void => {
    if (event !== "log_lines_lost") told(event);
  };
  const { log, tell } = createLog({ level: logLevel, secrets, write: sink.write, told: toldOnce });
  return {
    log,
    say: (text) => sink.write(`${text}\n`),
    close: () => {
      tell();
      return sink.close();
    },
  };
}
