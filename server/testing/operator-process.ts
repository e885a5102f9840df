import { processPorts } from "../admin/process-ports.ts";
import { runAdmin } from "../admin/run-admin.ts";

// A process that runs one command line after another, each a message of its words, and tells how each ended. They are
// those of admin/main.ts; only the start of a process for each is saved, which takes longer than most of them do.

process.umask(0o077);
process.on("disconnect", () => process.exit(0));
let before: Promise<unknown> = Promise.resolve();
process.on("message", (words: readonly string[]) => {
  before = before.then(async () => {
    let [out, err] = ["", ""];
    const code = await runAdmin(words, {
      ...processPorts,
      print: (text) => {
        out += text;
      },
      complain: (text) => {
        err += text;
      },
      isHeard: () => true,
    });
    process.send?.({ code, out, err });
  });
});
