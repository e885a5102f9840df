import { processPorts } from "./process-ports.ts";
import { runAdmin } from "./run-admin.ts";

// Every file that a command makes is for its user alone: databases, backups, exports, location data.
process.umask(0o077);

const output = { isHeard: true, isWhole: true };

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  output.isHeard = false;
  // A reader that has seen enough, such as `head`, closes the pipe: that is no failure of ours.
  if (error.code === "EPIPE" || !output.isWhole) return;
  output.isWhole = false;
  process.exitCode = 4;
  process.stderr.write(`the command is done, but its answer could not be written: ${error.message}\n`);
});
// Nobody is left to be told, and what is under way goes on.
process.stderr.on("error", () => undefined);

const code = await runAdmin(process.argv.slice(2), {
  ...processPorts,
  print: (text) => process.stdout.write(text),
  complain: (text) => process.stderr.write(text),
  isHeard: () => output.isHeard,
});
// A failed write may be told before or after this.
if (output.isWhole) process.exitCode = code;
