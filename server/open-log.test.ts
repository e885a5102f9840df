import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("lost lines are told as the first one is lost, and not again with their line", async () => {
  const program = `
    import { openLog } from ${JSON.stringify(new URL("./open-log.ts", import.meta.url).href)};
    // As the service's own work does: no wait of the log for a full pipe keeps a process alive.
    const alive = setInterval(() => {}, 1000);
    const told = [];
    const database = { engine: "sqlite", file: "offers.sqlite", durability: "relaxed" };
    const secrets = { current: "a secret", others: [] };
    const { say, close } = openLog({ logLevel: "info", database }, secrets, (event) => told.push(event));
    for (let at = 0; at < 20_000; at += 1) say("x".repeat(99));
    const atOnce = [...told];
    // Each waits for a second at the most, and on a busy machine the pipe is read later than that.
    for (let round = 0; round < 9; round += 1) await close();
    clearInterval(alive);
    process.stderr.write(JSON.stringify({ atOnce, told }));`;
  const { stdout, stderr } = await run(process.execPath, ["--input-type=module", "-e", program], {
    maxBuffer: 8_388_608,
  });
  expect(stdout.match(/"event":"log_lines_lost"/g)).toHaveLength(1);
  expect(JSON.parse(stderr)).toEqual({ atOnce: ["log_lines_lost"], told: ["log_lines_lost"] });
});
