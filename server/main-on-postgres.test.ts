import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { movedToWww } from "./demo/audiences.ts";
import { audit } from "./store/books/audit.ts";
import { recount } from "./store/books/recount.ts";
import { startCuttingProxy } from "./store/postgres/cutting-proxy-for-tests.ts";
import { openDatabase } from "./store/postgres/database.ts";
import { call, chrome } from "./testing/call.ts";
import { postgresOfTests } from "./testing/engine-of-tests.ts";
import { forbiddenIn } from "./testing/log-search.ts";
import { administer } from "./testing/postgres-server.ts";

let root: string;
const started: ChildProcess[] = [];
const outputs: { stdout: string; stderr: string }[] = [];
const sealing = "a secret that all nodes of the tests share";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "offers-nodes-"));
});
afterAll(() => rmSync(root, { recursive: true }));

/** A database that nobody has opened yet, not even to give it its schema. */
let url: string;
let name: string;
let number = 0;
const server = process.env[postgresOfTests] ?? "";
beforeEach(async () => {
  number += 1;
  name = `nodes_${process.pid}_${number}`;
  await administer(server, `create database ${name}`);
  url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
});
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await administer(server, `drop database ${name} with (force)`);
  const used = [chrome, sealing, new URL(server).password];
  for (const { stdout, stderr } of outputs.splice(0)) expect(forbiddenIn(stdout + stderr, used)).toEqual([]);
});

/** The real program, one more node on that database, with a directory of its own. */
const start = (env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "main.ts")], {
    env: {
      ...{ PATH: process.env.PATH, PORT: "0", DATA_DIR: mkdtempSync(join(root, "node-")) },
      ...{ DATABASE_URL: url, DURABILITY: "relaxed" },
      TOKEN_SECRET: sealing,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const output = { stdout: "", stderr: "" };
  outputs.push(output);
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (data: Buffer) => {
      output[stream] += data.toString();
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  const said = async (text: string): Promise<string> => {
    await expect
      .poll(() => (child.exitCode === null ? output.stdout : output.stderr), { timeout: 50_000 })
      .toContain(text);
    return output.stdout;
  };
  return { child, output, ended, said };
};

const ready = async (node: ReturnType<typeof start>): Promise<string> =>
  /ready at (http:\/\/\S+)/.exec(await node.said("ready at"))?.[1] ?? "";

const demo = { origin: "http://localhost:8788", from: null };
const demoDecision = "/v1/decision?pub=pub_northwind&website=ws_journal";

const rows = async (table: "user" | "publisher" | "sign_in_link"): Promise<number> => {
  const db = openDatabase({ url, name: "offers tests" });
  const found = await db.selectFrom(table).selectAll().execute();
  await db.destroy();
  return found.length;
};

describe("two nodes that start at once on an empty database", () => {
  it("fill it with the demo and its past once, and both serve it", async () => {
    const nodes = [start({ SEED_DEMO: "traffic" }), start({ SEED_DEMO: "traffic" })];
    const addresses = await Promise.all(nodes.map(ready));
    for (const address of addresses) {
      expect((await call(`${address}/readyz`)).status).toBe(200);
      expect((await call(`${address}${demoDecision}`, demo)).status).toBe(200);
    }
    const db = openDatabase({ url, name: "offers tests" });
    // Who fills it a second time counts these calls a second time.
    const refused = await db.selectFrom("trouble").select("times").execute();
    expect(refused).toEqual([{ times: movedToWww.calls }]);
    expect((await recount(db)).differences).toEqual([]);
    expect((await audit(db)).differences).toEqual([]);
    await db.destroy();
    for (const { child, ended, output } of nodes) {
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      expect(output.stderr).toBe("");
    }
  }, 120_000);

  it("each print a link by which one person sets the service up, and nobody after them", async () => {
    const nodes = [start({ SEED_DEMO: "false" }), start({ SEED_DEMO: "false" })];
    const links = await Promise.all(
      nodes.map(
        async (node) => /http:\/\/\S+\/dash\/link\/\S+/.exec(await node.said("/dash/link/"))?.[0] ?? "",
      ),
    );
    const [one = "", other = ""] = links;
    for (const link of links) expect((await call(link, { origin: null })).status).toBe(200);
    const follow = (link: string, email: string) =>
      call(link, {
        method: "POST",
        origin: new URL(link).origin,
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          "Sec-Fetch-Site": "same-origin",
        },
        body: new URLSearchParams({ email, password: "correct horse battery" }).toString(),
      });
    const answers = await Promise.all([follow(one, "one@example.com"), follow(other, "other@example.com")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404]);
    expect(await Promise.all([rows("user"), rows("publisher")])).toEqual([1, 1]);
    for (const link of links) expect((await call(link, { origin: null })).status).toBe(404);
  }, 120_000);
});

it("a node that finds no server ends with one line that does not tell the password", async () => {
  const { output, ended } = start({ DATABASE_URL: "postgres://offers:hunter2@127.0.0.1:1/none" });
  expect(await ended).toBe(1);
  expect(output.stderr).toMatch(/^Cannot start: [^\n]*127\.0\.0\.1:1[^\n]*\n$/);
  expect(output.stderr + output.stdout).not.toContain("hunter2");
});

it("a node whose hosts have all fallen silent ends in time, and as it should", async () => {
  const { port } = new URL(server);
  const proxies = await Promise.all([1, 2, 3].map(() => startCuttingProxy(Number(port))));
  onTestFinished(async () => void (await Promise.all(proxies.map((proxy) => proxy.close()))));
  const hosts = proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(",");
  const { child, output, ended, said } = start({
    DATABASE_URL: url.replace(new URL(server).host, hosts),
    SEED_DEMO: "false",
  });
  await said("ready at");
  for (const proxy of proxies) proxy.fallSilent();
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(output.stdout).toContain('"event":"stopping"');
  expect(output.stdout).not.toContain("stop_cut_off");
}, 60_000);
