import { fileURLToPath } from "node:url";
import { endWithParent } from "./end-with-parent.ts";
import { runBoth } from "./run-both.ts";
import { ownEnvironment, serviceEnvironment } from "./settings.ts";

// Whatever the service writes is for its user alone.
process.umask(0o077);

const env = ownEnvironment();
if (env.npm_lifecycle_event !== undefined) endWithParent();

/** `npm start` runs this: the service and the demo site. */
process.exit(
  await runBoth({
    env: serviceEnvironment(env),
    serviceFile: fileURLToPath(new URL("../server/main.ts", import.meta.url)),
    signals: process,
    terminal: process.stdin.isTTY === true,
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
  }),
);
