import { expect, test } from "vitest";
import type { LogEventName, LogLevel } from "../core/log-events.ts";
import { createLog } from "./create-log.ts";

const newLog = (level: LogLevel | "trace" | "silent" = "info") => {
  const time = { now: 0 };
  const lines: string[] = [];
  const { log, tell } = createLog({
    level,
    secrets: ["the database's password"],
    write: (line) => lines.push(line),
    clock: () => time.now,
  });
  return { log, tell, lines, time, read: () => lines.map((line) => JSON.parse(line)) };
};

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

test("a line has level, time, the event's name and its sentence; of a call its id, and the trace that it was given", () => {
  const { log, lines, read } = newLog();
  const call = { id: "AQEB-1", headers: { traceparent, cookie: "offers=x", "user-agent": "curl/8" } };
  log({ event: "request_failed", method: "GET", path: "/v1/r", err: new Error("no") }, call);
  log({ event: "request_failed" }, { id: "AQEB-2", headers: { traceparent: "00-0-0-0" } });
  log({ event: "spool_empty" });
  expect(lines.every((line) => line.endsWith("}\n"))).toBe(true);
  const [failed, second, store] = read();
  expect(failed).toMatchObject({
    level: 50,
    event: "request_failed",
    msg: "a call was answered 500",
    request: "AQEB-1",
    trace: "4bf92f3577b34da6a3ce929d0e0e4736",
    path: "/v1/r",
    err: { type: "Error", message: "no" },
  });
  expect(Date.parse(failed.time)).toBeGreaterThan(0);
  expect(lines[0]).not.toContain("curl");
  expect([second.request, "trace" in second]).toEqual(["AQEB-2", false]);
  expect([store.level, "request" in store, "trace" in store]).toEqual([30, false, false]);
});

test("a call's headers are not looked at for a line that is not written", () => {
  const { log } = newLog("error");
  const call = {
    id: "AQEB-1",
    get headers(): never {
      throw new Error("somebody has looked");
    },
  };
  log({ event: "request" }, call);
  expect(() => log({ event: "request_failed" }, call)).toThrow("somebody has looked");
});

test.each<[LogLevel | "trace" | "silent", number]>([
  ["trace", 5],
  ["debug", 5],
  ["info", 4],
  ["warn", 3],
  ["error", 2],
  ["fatal", 1],
  ["silent", 0],
])("at level %s %i of five lines are written", (level, count) => {
  const { log, lines } = newLog(level);
  log({ event: "request_unreadable" });
  log({ event: "stopping" });
  log({ event: "blocked_host" });
  log({ event: "request_failed" });
  log({ event: "uncaught_error" });
  expect(lines).toHaveLength(count);
});

test("what the service was started with stands in no line", () => {
  const { log, lines } = newLog();
  log({ event: "database_away", message: "no entry for the database's password" });
  expect(lines.join()).toContain("no entry for [removed]");
  expect(lines.join()).not.toContain("password");
});

test("a hundred thousand calls that fail, with an error of every size, cost the disk a quarter of a megabyte", () => {
  const { log, tell, lines, time } = newLog();
  const err = new Error("why ".repeat(2000), { cause: new Error("because ".repeat(2000)) });
  for (let at = 0; at < 100_000; at += 1) {
    // Ten seconds of ten thousand a second.
    time.now = at / 10;
    log({ event: "request_failed", method: "GET", path: "/v1/r", err }, { id: `AQEB-${at}`, headers: {} });
  }
  tell();
  expect(lines.join("").length).toBeLessThan(600_000);
  const failed = lines.filter((line) => line.includes('"request_failed","request"'));
  expect(failed.length).toBeGreaterThanOrEqual(109);
  expect(failed.length).toBeLessThanOrEqual(110);
  const left = lines
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event === "log_lines_left_out")
    .map(({ lines }) => lines as number);
  expect(left.reduce((sum, one) => sum + one, 0)).toBe(100_000 - failed.length);
}, 60_000);

test("whoever counts hears of every event: of those below the level, of lines left out, and of what says so", () => {
  const told: LogEventName[] = [];
  const { log, tell } = createLog({
    level: "warn",
    secrets: [],
    write: () => undefined,
    told: (event) => told.push(event),
    clock: () => 0,
  });
  log({ event: "stopping" });
  for (let at = 0; at < 102; at += 1) log({ event: "blocked_host" });
  tell();
  const times = (event: LogEventName) => told.filter((one) => one === event).length;
  expect([times("stopping"), times("blocked_host")]).toEqual([1, 102]);
  expect(times("log_lines_left_out")).toBeGreaterThan(0);
});
