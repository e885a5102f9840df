import { closeSync, openSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf, prepareLoggingPrograms } from "../testing/logging-programs.ts";

const { root, startInto } = prepareLoggingPrograms();

describe("a flood", { timeout: 240_000 }, () => {
  /** Sends so many calls in one connection, all at once by sixty, and counts the answers by status. */
  const sendThrough = (port: number, calls: number, count: (status: string) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = "GET /v1/r?t=forged HTTP/1.1\r\nHost: localhost\r\n\r\n";
      const socket = connect(port, "127.0.0.1");
      let [sent, answered] = [0, 0];
      let rest = "";
      const send = (): void => {
        const next = Math.min(60, calls - sent);
        sent += next;
        socket.write(request.repeat(next));
      };
      socket.on("error", reject);
      socket.on("connect", send);
      socket.on("data", (data: Buffer) => {
        const text = rest + data.toString("latin1");
        for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          count(status);
          answered += 1;
        }
        // A status line may come in two pieces; what was counted is not looked at again.
        const last = text.lastIndexOf("HTTP/1.1 ");
        rest =
          last !== -1 && text.length - last < 12 ? text.slice(last) : text.slice(-8).replace(/[0-9]/g, "");
        if (answered === calls) {
          socket.end();
          resolve();
        } else if (answered === sent) send();
      });
    });

  it("of a hundred thousand calls that fail costs the disk a hundred lines a second, and says how many it left out", async () => {
    const file = join(root, "flooded");
    const log = openSync(file, "a");
    const { port, end } = await startInto(log);
    closeSync(log);
    const statuses: Record<string, number> = {};
    const startedAt = performance.now();
    const calls = 100_000;
    const ofOne = 500;
    let left = calls / ofOne;
    const work = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await sendThrough(port, ofOne, (status) => {
          statuses[status] = (statuses[status] ?? 0) + 1;
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, work));
    const seconds = (performance.now() - startedAt) / 1000;
    expect(statuses).toEqual({ 400: calls });
    expect(await end()).toMatchObject({ code: 0, stderr: "" });
    const lines = linesOf(readFileSync(file, "utf8"));
    const told = lines.filter(({ event, path }) => event === "request" && path === "/v1/r").length;
    const leftOut = lines
      .filter(({ event, of }) => event === "log_lines_left_out" && of === "request")
      .reduce((sum, { lines: some }) => sum + Number(some), 0);
    expect(told).toBeGreaterThan(99);
    expect(told).toBeLessThanOrEqual(100 * (seconds + 2));
    expect(told + leftOut).toBeGreaterThanOrEqual(calls);
    expect(statSync(file).size).toBeLessThan(250 * 100 * (seconds + 10));
  });
});
