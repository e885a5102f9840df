import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { markRunning } from "./running-mark.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "mark-"));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
const gone = () => spawnSync(process.execPath, ["--version"]).pid;

it("a process that has ended as it should leaves no mark", () => {
  writeFileSync(join(dataDir, "running"), "");
  const { cut, remove } = markRunning(dataDir);
  expect(cut).toBe(0);
  expect(readdirSync(dataDir)).toHaveLength(2);
  remove();
  expect(readdirSync(dataDir)).toEqual(["running"]);
});

it.each([
  ["is no more", () => `running-${gone()}`, 1],
  ["runs", () => `running-${process.ppid}`, 0],
  ["had this one's number, as in a container", () => `running-${process.pid}`, 1],
])("a mark without more than a number, of a process that %s: %#", (_, nameOf, cut) => {
  writeFileSync(join(dataDir, nameOf()), "");
  expect(markRunning(dataDir).cut).toBe(cut);
});

// The parent stands for whoever has the number by now, after a reboot too.
it.skipIf(process.platform !== "linux").each([
  ["runs", () => `running-${process.ppid}-${startOf(process.ppid)}`, 0],
  ["is no more", () => `running-${gone()}-1`, 1],
  ["had a number that another one has", () => `running-${process.ppid}-1`, 1],
  ["had this one's number, as in a container", () => `running-${process.pid}-${startOf(process.pid)}`, 1],
])("a mark of a process that %s: %#", (_, nameOf, cut) => {
  writeFileSync(join(dataDir, nameOf()), "");
  expect(markRunning(dataDir).cut).toBe(cut);
});

it("a mark that cannot be removed keeps no other from being looked at, and this process from no mark", () => {
  mkdirSync(join(dataDir, `running-${gone()}`, "taken"), { recursive: true });
  for (const pid of [gone(), gone()]) writeFileSync(join(dataDir, `running-${pid}`), "");
  expect(markRunning(dataDir, "/nowhere").cut).toBe(2);
  expect(readdirSync(dataDir)).toContain(`running-${process.pid}`);
});

it.each([
  ["of the same user that runs, as under the unit", () => process.ppid, 0],
  ["that is no more", gone, 1],
])("a mark of a process %s, where the system shows none: %#", (_, pidOf, cut) => {
  const proc = join(dataDir, "proc");
  mkdirSync(proc);
  writeFileSync(join(dataDir, `running-${pidOf()}-1`), "");
  expect(markRunning(dataDir, proc).cut).toBe(cut);
});

it.skipIf(process.platform !== "linux")("names when this process has begun", () => {
  markRunning(dataDir);
  expect(readdirSync(dataDir)).toEqual([`running-${process.pid}-${startOf(process.pid)}`]);
});
