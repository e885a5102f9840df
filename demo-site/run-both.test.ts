import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listenRefusal } from "./listen-on-loopback.ts";
import { runBoth } from "./run-both.ts";

/** Stands in for the service: notes that it was started and which signals it got. */
const startedService = `
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
const note = (line) => appendFileSync(process.env.NOTES, line + "\\n");
const server = createServer((request, response) => {
  response.statusCode = request.url === "/readyz" ? Number(process.env.READY ?? 200) : 404;
  response.end();
}).listen(process.env.PORT, "127.0.0.1");
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => { note(signal); process.exit(0); });
note("started");
`;

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-both-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

/** Two ports that are free and differ. */
async function freePorts(): Promise<{ PORT: string; DEMO_PORT: string }> {
  return { PORT: await freePort(), DEMO_PORT: await freePort() };
}

/**
 * Below the ports that operating systems hand out by themselves: nothing else on the machine is given one of these
 * between this look and the program's own.
 */
let nextPort = 12_000 + (process.pid % 700) * 10;
async function freePort(): Promise<string> {
  nextPort += 1;
  const refusals = [await listenRefusal(nextPort, "127.0.0.1"), await listenRefusal(nextPort, "::1")];
  return refusals.includes("port_taken") ? freePort() : String(nextPort);
}

async function openPort(): Promise<{ port: string; close: () => Promise<unknown> }> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const bound = server.address();
  if (typeof bound !== "object" || bound === null) throw new Error("no port");
  return { port: String(bound.port), close: () => new Promise((resolve) => server.close(resolve)) };
}

async function start(
  program: string,
  options: { env?: Record<string, string>; terminal?: boolean; tooLate?: AbortSignal } = {},
) {
  const serviceFile = join(folder, "service.mjs");
  const notes = join(folder, "notes");
  writeFileSync(serviceFile, program);
  const env = { ...(await freePorts()), NOTES: notes, ...options.env };
  const signals = new EventEmitter<{ SIGINT: []; SIGTERM: [] }>();
  const complaints: string[] = [];
  let welcomed = (_text: string) => {};
  const welcome = new Promise<string>((resolve) => {
    welcomed = resolve;
  });
  const code = runBoth({
    env,
    serviceFile,
    signals,
    terminal: options.terminal ?? false,
    print: (text) => welcomed(text),
    complain: (text) => complaints.push(text),
    childOutput: "ignore",
    ...(options.tooLate && { tooLate: options.tooLate }),
  });
  const noted = () => (existsSync(notes) ? readFileSync(notes, "utf8").trim().split("\n") : []);
  const demoAnswers = () =>
    fetch(`http://127.0.0.1:${env.DEMO_PORT}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    );
  return { env, signals, complaints, welcome, code, noted, demoAnswers };
}

test("both run, the addresses are told, and a signal ends both with the service's exit code", async () => {
  const { env, signals, complaints, welcome, code, noted, demoAnswers } = await start(startedService);
  const text = await welcome;
  expect(text).toContain(`http://localhost:${env.DEMO_PORT}/preview`);
  expect(text).toContain(`http://127.0.0.1:${env.PORT}/v1/decision?pub=pub_northwind&website=ws_journal`);
  expect(await demoAnswers()).toBe(true);
  signals.emit("SIGTERM");
  expect(await code).toBe(0);
  expect(noted()).toEqual(["started", "SIGTERM"]);
  expect(complaints).toEqual([]);
  expect(await demoAnswers()).toBe(false);
  expect(signals.listenerCount("SIGINT") + signals.listenerCount("SIGTERM")).toBe(0);
});

test("Ctrl+C in a terminal reaches the service from there, and is not sent a second time", async () => {
  const { signals, welcome, code, noted } = await start(startedService, { terminal: true });
  await welcome;
  signals.emit("SIGINT");
  signals.emit("SIGTERM");
  expect(await code).toBe(0);
  expect(noted()).toEqual(["started", "SIGTERM"]);
});

test("a service that ends by itself takes the demo site with it", async () => {
  const { code, complaints, demoAnswers } = await start("process.exit(3)");
  expect(await code).toBe(3);
  expect(complaints).toEqual([expect.stringContaining("exit code 3")]);
  expect(await demoAnswers()).toBe(false);
});

test("a service that is killed is told by the number of the signal", async () => {
  const { code } = await start(`process.kill(process.pid, "SIGKILL"); setInterval(() => {}, 1000);`);
  expect(await code).toBe(137);
});

test("a service that does not become ready is ended, and the exit code is 1", async () => {
  const tooLate = new AbortController();
  const { code, complaints, noted } = await start(startedService, {
    env: { READY: "503" },
    tooLate: tooLate.signal,
  });
  await vi.waitFor(() => expect(noted()).toEqual(["started"]), { timeout: 10_000 });
  tooLate.abort();
  expect(await code).toBe(1);
  expect(noted()).toEqual(["started", "SIGTERM"]);
  expect(complaints).toEqual([expect.stringContaining("did not become ready")]);
});

test.each(["PORT", "DEMO_PORT"])(
  "a taken port is told with the variable %s, and nothing is started",
  async (name) => {
    const { port, close } = await openPort();
    const { code, complaints, noted, demoAnswers } = await start(startedService, { env: { [name]: port } });
    expect(await code).toBe(1);
    expect(complaints).toEqual([expect.stringMatching(new RegExp(`${port} .* is taken\\. Set ${name} to`))]);
    expect(noted()).toEqual([]);
    if (name === "PORT") expect(await demoAnswers()).toBe(false);
    await close();
  },
);

test("a variable that makes no sense is refused before anything is opened", async () => {
  const { code, complaints, noted } = await start(startedService, { env: { DEMO_PORT: "none" } });
  expect(await code).toBe(1);
  expect(complaints).toEqual([expect.stringContaining("DEMO_PORT")]);
  expect(noted()).toEqual([]);
});
