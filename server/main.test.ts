import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Sqlite from "better-sqlite3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, chrome } from "./testing/call.ts";
import { forbiddenIn } from "./testing/log-search.ts";

let root: string;
const started: ChildProcess[] = [];
const outputs: { stdout: string; stderr: string }[] = [];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "offers-main-"));
});
afterEach(() => {
  for (const child of started.splice(0)) if (child.exitCode === null) child.kill("SIGKILL");
  for (const { stdout, stderr } of outputs.splice(0))
    expect(forbiddenIn(stdout + stderr, [chrome])).toEqual([]);
});
afterAll(() => rmSync(root, { recursive: true }));

/** The real program, in a process of its own, on any free port. */
const start = (env: Record<string, string>, nodeOptions: string[] = [], openFiles?: number) => {
  const main = join(import.meta.dirname, "main.ts");
  const program = [process.execPath, ...nodeOptions, main];
  const [command = "", ...args] =
    openFiles === undefined ? program : ["sh", "-c", `ulimit -n ${openFiles} && exec "$0" "$@"`, ...program];
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, PORT: "0", DATA_DIR: root, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started.push(child);
  const output = { stdout: "", stderr: "" };
  outputs.push(output);
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (data: Buffer) => {
      output[name] += data.toString();
    });
  }
  const ended = once(child, "close").then(([code]) => code as number | null);
  const ready = async (): Promise<string> => {
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain("ready at");
    return /http:\/\/\S+/.exec(output.stdout)?.[0] ?? "";
  };
  return { child, output, ended, ready };
};

const demo = { origin: "http://localhost:8788", from: null };
const demoDecision = "/v1/decision?pub=pub_northwind&website=ws_journal";

describe("the program", { timeout: 120_000 }, () => {
  it("starts on an empty directory, serves the demo, and on SIGTERM ends without losing a request", async () => {
    const { child, output, ended, ready } = start({ LOG_LEVEL: "debug" });
    const url = await ready();
    expect((await call(`${url}/readyz`)).status).toBe(200);
    const forged = "/v1/r?t=SECRETTOKEN&x=%1b[31m%0a%7B%22level%22:60%7D";
    expect((await call(`${url}${forged}`, demo)).status).toBe(400);
    await call(`${url}${demoDecision}`, { ...demo, headers: { Authorization: "Bearer SECRETKEY" } });
    expect((await call(`${url}/dash/link/SECRETLINK`)).status).toBe(404);

    child.kill("SIGTERM");
    await expect.poll(async () => (await call(`${url}/readyz`)).status).toBe(503);
    const late = await call(`${url}${demoDecision}`, demo);
    expect(late.json()).toMatchObject({ allowed: false, blocked: { reason: "location_unknown" } });
    for (const path of ["/v1/decision", "/embed.js", "/docs", "/healthz", "/nothing"])
      expect((await call(`${url}${path}`)).headers.connection, path).toBe("close");
    expect(await ended).toBe(0);
    expect(output.stderr).toBe("");

    const lines = output.stdout.trim().split("\n");
    const plain = lines.filter((line) => !line.startsWith("{"));
    expect(plain).toEqual([
      expect.stringMatching(/ready at http:\/\/127\.0\.0\.1:\d+ /),
      expect.stringMatching(
        /signed in as the demo's user.*: http:\/\/127\.0\.0\.1:\d+\/dash\/link\/[\w-]{43}$/,
      ),
    ]);
    const logged = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    expect(logged).toContainEqual(expect.objectContaining({ method: "GET", path: "/v1/r", status: 400 }));
    expect(logged).toContainEqual(
      expect.objectContaining({ event: "request", path: "/dash/link/:token", status: 404 }),
    );
    expect(logged.some(({ level }) => level >= 50)).toBe(false);
    expect(lines.filter((line) => line.startsWith("{")).join()).not.toMatch(/SECRET|127\.0\.0\.1|\p{Cc}/u);
  });

  it("warns of an address that content blockers refuse", async () => {
    const { output } = start({ BASE_URL: "https://ads.journal.example" });
    await expect
      .poll(() => output.stdout, { timeout: 60_000 })
      .toContain("content blockers refuse host names that begin with ads.");
  });

  it.runIf(process.platform === "linux")(
    "leaves files for its own threads, however many connect, where it may open few",
    async () => {
      const { child, output, ended, ready } = start({ TRUST_PROXY_HOPS: "1" }, [], 290);
      const { port } = new URL(await ready());
      expect(output.stdout).toContain('"event":"few_open_files","openFiles":290,"connections":34');
      let closed = 0;
      const callers = Array.from({ length: 150 }, () =>
        connect({ host: "127.0.0.1", port: Number(port), noDelay: true })
          .on("error", () => undefined)
          .once("close", () => {
            closed += 1;
          }),
      );
      try {
        await expect.poll(() => closed, { timeout: 60_000 }).toBeGreaterThanOrEqual(150 - 34);
        const taken = callers.find((caller) => !caller.destroyed);
        let received = "";
        taken?.on("data", (data) => {
          received += data.toString();
        });
        // The first call of the dashboard starts a thread.
        taken?.write("GET /dash/link/SECRETLINK HTTP/1.1\r\nHost: x\r\n\r\n");
        await expect.poll(() => received, { timeout: 60_000 }).toContain("HTTP/1.1 404");
        expect(child.exitCode).toBeNull();
      } finally {
        for (const caller of callers) caller.destroy();
      }
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
      const cut = [...output.stdout.matchAll(/"event":"connections_cut","cut":(\d+),"total":(\d+)/g)];
      expect(cut.at(0)?.slice(1)).toEqual(["1", "1"]);
      expect(cut.at(-1)?.[2]).toBe("116");
    },
  );

  it.runIf(process.platform === "linux")(
    "opens no file for a caller that asks for files and reads none",
    async () => {
      const { child, ended, ready } = start({ TRUST_PROXY_HOPS: "1" }, [], 400);
      const { port } = new URL(await ready());
      const open = async () => {
        const caller = connect({ host: "127.0.0.1", port: Number(port), noDelay: true });
        caller.on("error", () => undefined);
        await once(caller, "connect");
        return caller;
      };
      const callers = await Promise.all(Array.from({ length: 30 }, open));
      try {
        // Two megabytes each, so that all but the first few wait for as long as nobody reads.
        const file = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n";
        for (const caller of callers) caller.write(file.repeat(64));
        await Promise.all(callers.map((caller) => once(caller, "readable")));
        const person = await open();
        callers.push(person);
        let received = "";
        person.on("data", (data) => {
          received += data.toString();
        });
        person.write("GET /dash/link/SECRETLINK HTTP/1.1\r\nHost: x\r\n\r\n");
        await expect.poll(() => received, { timeout: 60_000 }).toContain("HTTP/1.1 ");
        expect(received).toContain("HTTP/1.1 404");
        expect(child.exitCode).toBeNull();
      } finally {
        for (const caller of callers) caller.destroy();
      }
      child.kill("SIGTERM");
      expect(await ended).toBe(0);
    },
  );

  it("serves visitors though another process's lock lets it keep no link for the first user", async () => {
    const directory = mkdtempSync(join(root, "locked-"));
    const env = { DATA_DIR: directory, SEED_DEMO: "false" };
    const first = start(env);
    await expect.poll(() => first.output.stdout, { timeout: 60_000 }).toContain("Nobody can sign in yet");
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(0);

    const program = new URL("./testing/hold-lock.ts", import.meta.url);
    const holder = fork(program, [join(directory, "offers.sqlite")]);
    started.push(holder);
    holder.send("hold");
    expect((await once(holder, "message"))[0]).toBe("held");
    const { child, output, ready } = start(env);
    const url = await ready();
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain("no link could be made");
    expect((await call(`${url}/healthz`)).status).toBe(200);
    expect(child.exitCode).toBeNull();
    expect(output.stdout).not.toContain("/dash/link/");
  });

  it("tells metrics at their own address alone, until it has ended, and does not start where somebody listens there", async () => {
    const { child, output, ended } = start({ METRICS_PORT: "0" });
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain("ready at");
    const [, port = ""] = /"metrics_open","port":(\d+)/.exec(output.stdout) ?? [];
    const metrics = `http://127.0.0.1:${port}/metrics`;
    const url = /ready at (\S+)/.exec(output.stdout)?.[1] ?? "";
    const { text } = await call(metrics);
    expect(text).toContain("\noffers_ready 1\n");
    expect(text).toContain('\noffers_log_events_total{event="metrics_open",level="info"} 1\n');
    expect((await call(`${url}/metrics`)).status).toBe(404);

    const other = start({ METRICS_PORT: port, DATA_DIR: mkdtempSync(join(root, "other-")) });
    expect(await other.ended).toBe(1);
    expect(other.output.stderr).toMatch(
      /^Cannot start: the address of metrics \(METRICS_HOST, METRICS_PORT\) cannot be listened at: .*EADDRINUSE.*\n$/,
    );

    child.kill("SIGTERM");
    await expect.poll(async () => (await call(metrics)).text).toContain("\noffers_ready 0\n");
    expect(await ended).toBe(0);
  });

  it("finds what an earlier run has stored", async () => {
    const sessions = "/v1/widget-decline/session";
    const website = "?pub=pub_northwind&website=ws_journal";
    const first = start({ LOG_LEVEL: "silent" });
    const opening = `${await first.ready()}${sessions}${website}`;
    const opened = (await call(opening, { ...demo, method: "POST" })).json<{ sessionId: string }>();
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(0);

    const second = start({ LOG_LEVEL: "silent" });
    const found = await call(`${await second.ready()}${sessions}/${opened.sessionId}${website}`, demo);
    expect(found.json()).toMatchObject({ status: "pending" });
    second.child.kill("SIGINT");
    expect(await second.ended).toBe(0);
  });

  it.skipIf(process.platform === "win32")(
    "ends at once by a fault, which no listener is to hold up",
    async () => {
      const faulty = start({ DATA_DIR: mkdtempSync(join(root, "faulty-")), SEED_DEMO: "false" });
      await faulty.ready();
      faulty.child.kill("SIGBUS");
      await faulty.ended;
      expect(faulty.child.signalCode).toBe("SIGBUS");
    },
  );

  it("says when the process before it was killed, and once", async () => {
    const directory = mkdtempSync(join(root, "killed-"));
    const env = { DATA_DIR: directory, SEED_DEMO: "false" };
    const killed = start(env);
    await killed.ready();
    killed.child.kill("SIGKILL");
    await killed.ended;
    const next = start(env);
    await next.ready();
    expect(next.output.stdout).toContain('"event":"ended_uncleanly","processes":1');
    next.child.kill("SIGINT");
    expect(await next.ended).toBe(0);
    const last = start(env);
    await last.ready();
    expect(last.output.stdout).not.toContain("ended_uncleanly");
    // Beside a process that runs nobody has ended.
    const beside = start(env);
    await beside.ready();
    expect(beside.output.stdout).not.toContain("ended_uncleanly");
  });

  it("keeps what its tag and its dashboard fetch, and hands out what the tag of the release before does", async () => {
    const directory = mkdtempSync(join(root, "chunks-"));
    const env = { DATA_DIR: directory, SEED_DEMO: "false" };
    const old = start(env);
    await old.ready();
    old.child.kill("SIGINT");
    expect(await old.ended).toBe(0);
    const database = new Sqlite(join(directory, "offers.sqlite"));
    const [embedDir, dashboardDir] = ["embed", "dashboard"].map((room) =>
      join(import.meta.dirname, "..", room, "dist"),
    );
    const builtIn = (folder: string) =>
      existsSync(folder) ? readdirSync(folder).filter((file) => /\.(js|css)$/.test(file)) : [];
    const built = [
      ...builtIn(`${embedDir}/c`),
      ...builtIn(`${dashboardDir}/a`).map((file) => `dash/${file}`),
    ];
    const current = database
      .prepare("select name from chunk where replaced_at is null order by name")
      .pluck();
    expect(current.all()).toEqual(built.toSorted());
    database.prepare("insert into chunk values ('before.js', ?, null)").run(gzipSync("/* before */"));

    const next = start(env);
    const url = await next.ready();
    expect(await (await fetch(`${url}/c/before.js`)).text()).toBe("/* before */");
    expect((await fetch(`${url}/c/beside.js`)).status).toBe(404);
    expect(current.all()).toEqual(built.length > 0 ? built.toSorted() : ["before.js"]);
    database.close();
    next.child.kill("SIGINT");
    expect(await next.ended).toBe(0);
  });

  it("ends with code 0 and a closed store in spite of a client that never ends its request", async () => {
    const { child, ended, ready } = start({ LOG_LEVEL: "silent" });
    const url = await ready();
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write("POST /v1/events/impression HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n");
    socket.write("Content-Length: 1000\r\n\r\n{");
    await call(`${url}/healthz`);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    // A store that is closed has folded its log into its file.
    expect(readdirSync(root).filter((file) => file.endsWith("-wal"))).toEqual([]);
  });

  it.skipIf(process.platform === "win32")(
    "records nothing and is not ready once its database was removed, says so fatally, and goes on deciding",
    async () => {
      const directory = mkdtempSync(join(root, "removed-"));
      const { child, output, ended, ready } = start({ DATA_DIR: directory });
      const url = await ready();
      const decided = (await call(`${url}${demoDecision}`, demo)).json() as { requestId: string };
      const report = () =>
        call(`${url}/v1/events/impression`, {
          ...demo,
          method: "POST",
          headers: { "Content-Type": "text/plain" },
          body: JSON.stringify({
            requestId: decided.requestId,
            offerId: "offer_none",
            placement: "standard",
            position: 1,
            surface: "overlay",
          }),
        });
      expect((await report()).status).toBe(204);
      rmSync(join(directory, "offers.sqlite"));
      expect((await report()).status).toBe(503);
      expect((await call(`${url}/readyz`)).status).toBe(503);
      expect((await call(`${url}${demoDecision}`, demo)).status).toBe(200);
      child.kill("SIGINT");
      expect(await ended).toBe(0);
      const grave = output.stdout
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level >= 50)
        .map(({ level, event }) => ({ level, event }));
      expect(grave).toEqual([
        { level: 60, event: "database_file_lost" },
        { level: 50, event: "journal_refused" },
        { level: 50, event: "journal_entries_lost" },
      ]);
      // Its process was gone before anybody could read that in its metrics.
      const next = start({ DATA_DIR: directory });
      await next.ready();
      expect(next.output.stdout).toContain('"event":"ended_uncleanly","processes":1');
    },
    30_000,
  );

  it("drains and ends with code 1 after an error that nobody handled", async () => {
    const accident = `data:text/javascript,process.on("SIGWINCH",()=>{Promise.reject(new Error("an accident"))})`;
    const { child, output, ended, ready } = start({}, ["--import", accident]);
    await ready();
    child.kill("SIGWINCH");
    expect(await ended).toBe(1);
    const fatal = output.stdout.split("\n").filter((line) => line.includes('"level":60'));
    expect(fatal).toEqual([expect.stringContaining("an accident")]);
  });
});

describe("a stop", () => {
  it("goes on with what it has begun when an error comes that nobody handled, and tells it", async () => {
    const accident = `data:text/javascript,process.on("SIGWINCH",()=>{Promise.reject(new Error("an accident"))})`;
    const { child, output, ended, ready } = start({}, ["--import", accident]);
    const url = await ready();
    // It is waited for longer than anything else.
    const headers = { "content-type": "text/plain", "content-length": 2 };
    const half = request(`${url}/v1/events/impression`, { method: "POST", headers });
    const answered = once(half, "response");
    half.write("{");
    await call(`${url}/healthz`);
    child.kill("SIGTERM");
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain('"event":"stopping"');
    child.kill("SIGWINCH");
    await expect.poll(() => output.stdout, { timeout: 60_000 }).toContain('"event":"uncaught_error"');
    half.end("}");
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(400);
    expect(await ended).toBe(1);
  }, 60_000);

  it("that takes too long tells that it was cut off", async () => {
    // The last thing of all never comes: as with a disk that answers no more.
    const stuck = `data:text/javascript,
      import { Worker } from "node:worker_threads";
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message, ...more) {
        if (message.kind !== "close") post.call(this, message, ...more);
      };
      Worker.prototype.terminate = () => new Promise(() => undefined);`;
    const { child, output, ended, ready } = start({}, ["--import", stuck.replaceAll("\n", "")]);
    await ready();
    child.kill("SIGINT");
    expect(await ended).toBe(1);
    expect(output.stdout).toContain('"level":50,');
    expect(output.stdout).toContain('"event":"stop_cut_off"');
  }, 60_000);
});

describe("a start that cannot succeed ends with code 1 and one line", { timeout: 60_000 }, () => {
  const refused = async (env: Record<string, string>, message: string) => {
    const { output, ended } = start(env);
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(/^Cannot start: [^\n]+\n$/);
    expect(output.stderr).toContain(message);
    expect(output.stdout).not.toContain("ready at");
  };

  it("without its data directory", () => refused({ DATA_DIR: join(root, "absent") }, "does not exist"));

  it("with a file in the place of its directory", () => {
    writeFileSync(join(root, "file"), "");
    return refused({ DATA_DIR: join(root, "file") }, "is no directory");
  });

  it("in production without a secret", () =>
    refused({ NODE_ENV: "production", BASE_URL: "https://offers.example" }, "TOKEN_SECRET is required"));

  it("with a value that cannot be meant", () =>
    refused({ TRUST_PROXY_HOPS: "true" }, "TRUST_PROXY_HOPS must be"));

  it("with a file that is no database", () => {
    const directory = mkdtempSync(join(root, "broken-"));
    writeFileSync(join(directory, "offers.sqlite"), "this is no database".repeat(1000));
    return refused({ DATA_DIR: directory }, "not a database");
  });

  /** A disk of one's own takes user namespaces, which some machines do not allow. */
  const canMount =
    spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", tmpdir()]).status ===
    0;

  it.skipIf(!canMount).each([
    ["before the database is opened", "0", ""],
    // Large enough for the file and its index of the log, and not for the schema.
    ["while it is brought to its layout", "200", ", or the one for temporary files,"],
  ])("on a disk that is full %s, in the words of the command line", async (_, freeKilobytes, orAnother) => {
    const directory = mkdtempSync(join(root, "full-"));
    const script = `
      mount -t tmpfs -o size=1500k none "$DATA_DIR"
      echo 0123456789abcdef0123456789abcdef > "$DATA_DIR/token-secret"
      free=$(df --output=avail -k "$DATA_DIR" | tail -n 1)
      head -c $(((free - FREE) * 1024)) /dev/zero > "$DATA_DIR/other"
      exec "$@"`;
    const program = [process.execPath, join(import.meta.dirname, "main.ts")];
    const { status, stderr } = spawnSync(
      "unshare",
      ["--map-root-user", "--mount", "sh", "-eu", "-c", script, "sh", ...program],
      {
        env: { PATH: process.env.PATH, PORT: "0", DATA_DIR: directory, FREE: freeKilobytes },
        encoding: "utf8",
      },
    );
    const file = join(directory, "offers.sqlite");
    expect(stderr).toBe(
      `Cannot start: the disk of ${file}${orAnother} is full; nothing was changed: make room and try again\n`,
    );
    expect(status).toBe(1);
  });

  it("without what it comes with, which the next one takes for no crash, and tells the crash before it", async () => {
    const directory = mkdtempSync(join(root, "lists-"));
    const lost = `data:text/javascript,
      const fs = process.getBuiltinModule("node:fs");
      const read = fs.readFileSync;
      fs.readFileSync = (file, ...rest) => {
        if (String(file).endsWith("datacenter.txt")) throw new Error("an accident");
        return read(file, ...rest);
      };
      process.getBuiltinModule("node:module").syncBuiltinESMExports();`;
    const env = { DATA_DIR: directory, SEED_DEMO: "false" };
    for (const crashed of [[], ["running-99999999-1"]]) {
      for (const name of crashed) writeFileSync(join(directory, name), "");
      const { output, ended } = start(env, ["--import", lost.replaceAll("\n", "")]);
      expect(await ended).toBe(1);
      expect(output.stderr).toMatch(/^Cannot start: the list of networks .* an accident.*\n$/);
      expect(output.stdout).not.toContain("ended_uncleanly");
      expect(readdirSync(directory).filter((name) => name.startsWith("running-"))).toEqual(crashed);
    }
    const next = start(env);
    await next.ready();
    expect(next.output.stdout).toContain('"event":"ended_uncleanly","processes":1');
  });

  it("on a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await refused(
      { PORT: String(port) },
      "the address of visitors (HOST, PORT) cannot be listened at: listen EADDRINUSE",
    );
    other.close();
  });

  it("at an address that is another machine's", () =>
    refused(
      { HOST: "192.0.2.1" },
      "the address of visitors (HOST, PORT) cannot be listened at: listen EADDRNOTAVAIL",
    ));
});
