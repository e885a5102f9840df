import { createDemoApp } from "./app.ts";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { ownEnvironment, readSettings } from "./settings.ts";
import { demoPortProblem } from "./start-messages.ts";

// Whatever it should come to write is for its user alone.
process.umask(0o077);

/** The demo site alone, for a service that runs elsewhere or is not to run at all. */
const reading = readSettings(ownEnvironment());
if (!reading.ok) stop(reading.message);
const { settings } = reading;
const listening = await listenOnLoopback(createDemoApp(settings), settings.demoPort);
if (!listening.ok) stop(demoPortProblem(listening.reason, settings.demoPort));
console.log(`Demo site on ${settings.demoOrigin}, for the service at ${settings.serviceOrigin}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void listening.site.close().then(() => process.exit(0));
  });
}

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}
