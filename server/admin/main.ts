import { processPorts } from "./process-ports.ts";
import { runAdmin } from "./run-admin.ts";

// Every file that a command makes is for its user alone: databases, backups, exports, location data.
process.umask(0o077);

// A reader that has seen enough, such as `head`, closes the pipe: that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await runAdmin(process.argv.slice(2), {
  ...processPorts,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
});
