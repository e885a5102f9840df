import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePort } from "../../server/testing/free-port.ts";
import { type Check, printChecks } from "../checks.ts";
import { inheritedEnvironment, repositoryRoot } from "../program.ts";
import { type ApiDocument, lossesBetween } from "./compare-documents.ts";
import { type BenchRun, compareFigures } from "./compare-figures.ts";
import { type NemesisRun, skippedTrials } from "./skipped-trials.ts";
import { checkSeenBefore, type SeenBefore, visitDemo } from "./upgrade.ts";
import { versionOf, versionSlips } from "./version-told.ts";

/** Where the figures of the last release are. */
const baselineFile = "bench/baseline.json";

/** What a fresh clone is given: no setting of who runs this, ports of its own, and its data within itself. */
type Clone = { root: string; environment: Record<string, string> };
type Step = (clone: Clone) => Promise<Check[]> | Check[];

/** In the order in which they run. Each looks at a fresh clone of what is committed, and none touches the checkout. */
const steps: Record<string, Step> = {
  commit: () => [nothing("changes that are not committed", output("git", "status", "--porcelain"))],
  version: ({ root }) => {
    const version = versionOf(root);
    const tag = `v${version}`;
    const undated = new RegExp(`^## ${version.replaceAll(".", "\\.")}, unreleased$`, "m");
    const dayless = undated.exec(readFileSync(join(root, "CHANGELOG.md"), "utf8"))?.[0] ?? "";
    const tagged = output("git", "tag", "--list", tag);
    const here = output("git", "tag", "--points-at", "HEAD").split("\n");
    return [
      nothing("what is wrong with how the version is told", versionSlips(root).join("; ")),
      nothing("a newest part of the changelog without its day", dayless),
      nothing(`another commit that is ${tag} already`, here.includes(tag) ? "" : tagged),
    ];
  },
  contract: async (clone) => {
    const tag = lastTag();
    if (tag === null) {
      console.log("There is no release before this one whose /v1 could be compared.");
      return [];
    }
    const before = await makeClone(tag);
    try {
      const losses = lossesBetween(await documentOf(before), await documentOf(clone));
      return [nothing(`what callers of /v1 lose since ${tag}`, losses.join("; "))];
    } finally {
      rmSync(before.root, { recursive: true, force: true });
    }
  },
  upgrade: async (clone) => {
    const from = lastTag() ?? oldestTaken();
    console.log(`From ${from}, with the demo's data.`);
    const before = await makeClone(from);
    const data = mkdtempSync(join(tmpdir(), "release-data-"));
    const onData = ({ root, environment }: Clone): Clone => ({
      root,
      environment: { ...environment, DATA_DIR: data, SEED_DEMO: "true", DEMO_PORT: "8788" },
    });
    const [old, now] = [onData(before), onData(clone)];
    try {
      const built: Check[] = [];
      for (const one of [old, now])
        built.push(await succeeds(one, "npm ci --silent && npm run --silent build"));
      const seen: SeenBefore[] = [];
      const started = await whileServing(old, async (url) => {
        seen.push(await visitDemo(url, "http://localhost:8788"));
        return [];
      });
      const [had] = seen;
      if (had === undefined) return [...built, ...started];
      // Before that step nobody kept the files of a release that was replaced.
      const keepsFiles = existsSync(join(old.root, "server/store/migrations/0028-chunks.ts"));
      if (!keepsFiles) console.log("That commit keeps no files of its tag for the next release.");
      const upgraded = await whileServing(now, (url) =>
        checkSeenBefore(url, keepsFiles ? had : { ...had, chunks: [] }),
      );
      const admin = (command: string) => succeeds(now, `npm run --silent admin -- ${command}`);
      return [...built, ...started, ...upgraded, await admin("recount"), await admin("audit")];
    } finally {
      for (const folder of [before.root, data]) rmSync(folder, { recursive: true, force: true });
    }
  },
  start: (clone) => tryStart(clone, readmeCommand(clone.root, "npm start")),
  test: async (clone) => [await succeeds(clone, readmeCommand(clone.root, "npm test"))],
  audit: async (clone) => [await succeeds(clone, "npm audit --omit=dev")],
  papers: async (clone) => [await succeeds(clone, "npm run --silent release:papers -- --to release")],
  nemesis: async (clone) => {
    const ran = await succeeds(clone, "npm run --silent nemesis -- --json nemesis.json");
    const run = readJson<NemesisRun>(join(clone.root, "nemesis.json"));
    return [ran, nothing("trials that were skipped", skippedTrials(run))];
  },
  bench: async (clone) => {
    // It ends with 1 for a bar that is missed; where there is a baseline, that says which may be.
    const ran = await succeeds(clone, "npm run --silent bench -- --json figures.json");
    const run = readJson<BenchRun>(join(clone.root, "figures.json"));
    const baseline = readJson<BenchRun>(join(clone.root, baselineFile));
    if (run === null) return [ran];
    if (baseline === null) {
      console.log(
        `There is no ${baselineFile} to compare with: npm run bench -- --json ${baselineFile} writes the first.`,
      );
      return [ran];
    }
    return compareFigures(baseline, run);
  },
};

const main = async (): Promise<0 | 1> => {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  const chosen = values.only?.split(",") ?? Object.keys(steps);
  const unknown = chosen.filter((name) => !(name in steps));
  if (unknown.length > 0) throw new Error(`--only: no step is called ${unknown}, only ${Object.keys(steps)}`);
  const clone = await makeClone();
  const checks: Check[] = [];
  try {
    for (const [name, step] of Object.entries(steps)) {
      if (!chosen.includes(name)) continue;
      console.log(`\n== ${name}`);
      const from = performance.now();
      const seen = await step(clone);
      checks.push(...seen.map((check) => ({ ...check, claim: `${name}: ${check.claim}` })));
      console.log(`(${Math.round((performance.now() - from) / 1000)} s)`);
    }
  } finally {
    rmSync(clone.root, { recursive: true, force: true });
  }
  const code = printChecks(`\nRelease ${versionOf(repositoryRoot)}`, checks);
  if (chosen.length === Object.keys(steps).length) return code;
  console.log(`Of the steps, ${chosen.join(", ")} alone: that makes no release.`);
  return 1;
};

/** The newest release of before, from which this one was made; null: there is none. */
const lastTag = (): string | null => {
  const words = ["tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname"];
  const here = output("git", "tag", "--points-at", "HEAD").split("\n");
  return (
    output("git", ...words)
      .split("\n")
      .find((tag) => tag !== "" && !here.includes(tag)) ?? null
  );
};

/** The oldest commit whose database this program takes: the layout of those before it is refused (store/sqlite/migrate.ts). */
const oldestTaken = (): string => {
  const added = ["log", "--diff-filter=A", "--format=%H", "--", "*/0001-tables.ts"];
  const oldest = output("git", ...added)
    .split("\n")
    .at(-1);
  if (!oldest) throw new Error("no commit has made 0001-tables.ts: fetch the whole history");
  return oldest;
};

/** What a clone's program says of /v1. */
const documentOf = async ({ root, environment }: Clone): Promise<ApiDocument> => {
  const file = join(root, "openapi-document.json");
  const print = `
    import { writeFileSync } from "node:fs";
    import { createOpenapiDocument } from "./server/routes/openapi-document.ts";
    writeFileSync("openapi-document.json", JSON.stringify(createOpenapiDocument("https://offers.test")));`;
  const install = "[ -d node_modules ] || npm ci --ignore-scripts --silent";
  // Whatever Node the machine has, npm has installed the one that reads TypeScript.
  const node = 'PATH="$PWD/node_modules/.bin:$PATH" node --input-type=module';
  const { status } = spawnSync("bash", ["-c", `(${install}) && ${node} -e '${print}'`], {
    cwd: root,
    env: environment,
    stdio: "inherit",
  });
  const document = readJson<ApiDocument>(file);
  rmSync(file, { force: true });
  if (status !== 0 || document === null) throw new Error(`the document of ${root} could not be made`);
  return document;
};

/** Of this commit, or of another one, or a tag. */
const makeClone = async (commit?: string): Promise<Clone> => {
  const root = mkdtempSync(join(tmpdir(), "release-"));
  output("git", "clone", "--quiet", "--no-hardlinks", repositoryRoot, root);
  if (commit !== undefined) output("git", "-C", root, "checkout", "--quiet", "--detach", commit);
  const inherited = inheritedEnvironment();
  // npm put the programs of this checkout in front, and a clone must do with its own.
  const paths = (inherited.PATH ?? "").split(delimiter).filter((path) => !path.startsWith(repositoryRoot));
  const environment = {
    ...inherited,
    PATH: paths.join(delimiter),
    PORT: String(await freePort()),
    DEMO_PORT: String(await freePort()),
  };
  return { root, environment };
};

/** One of the two commands that the README begins with, as it stands there. */
const readmeCommand = (root: string, end: string): string => {
  const line = new RegExp(`^(npm ci && ${end})\\b`, "m").exec(readFileSync(join(root, "README.md"), "utf8"));
  if (line?.[1] === undefined) throw new Error(`the README has no line "npm ci && ${end}"`);
  return line[1];
};

/** Starts service and demo site, waits for both, and asks them to end as Ctrl+C does. */
const tryStart = async ({ root, environment }: Clone, command: string): Promise<Check[]> => {
  const started = spawn("bash", ["-c", command], {
    cwd: root,
    env: environment,
    stdio: "inherit",
    detached: true,
  });
  const ended = new Promise<void>((resolve) => started.once("close", () => resolve()));
  const addresses = [
    `http://127.0.0.1:${environment.PORT}/readyz`,
    `http://127.0.0.1:${environment.DEMO_PORT}/`,
  ];
  const deadline = performance.now() + 600_000;
  const answers = async (address: string): Promise<boolean> =>
    (await fetch(address).catch(() => null))?.ok === true;
  const silent = async (): Promise<string[]> => {
    const seen = await Promise.all(
      addresses.map(async (address) => ((await answers(address)) ? [] : [address])),
    );
    return seen.flat();
  };
  let waiting = await silent();
  while (waiting.length > 0 && started.exitCode === null && performance.now() < deadline) {
    await pause(250);
    waiting = await silent();
  }
  // The whole group, as a terminal does.
  if (started.pid !== undefined && started.exitCode === null) process.kill(-started.pid, "SIGINT");
  const inTime = await Promise.race([ended.then(() => true), pause(15_000, false)]);
  if (!inTime && started.pid !== undefined) process.kill(-started.pid, "SIGKILL");
  return [
    nothing(`"${command}": what does not answer`, waiting.join(", ")),
    nothing("what still runs 15 s after Ctrl+C", inTime ? "" : command),
  ];
};

/** Serves as `npm run serve` does, and asks it to end; what `work` does is done once it is ready. */
const whileServing = async (
  { root, environment }: Clone,
  work: (url: string) => Promise<Check[]>,
): Promise<Check[]> => {
  const url = `http://127.0.0.1:${environment.PORT}`;
  const command = "npm run --silent serve";
  const child = spawn("bash", ["-c", `exec ${command}`], {
    cwd: root,
    env: environment,
    stdio: "inherit",
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, name);
  };
  try {
    const deadline = performance.now() + 300_000;
    const isReady = async (): Promise<boolean> =>
      (await fetch(`${url}/readyz`).catch(() => null))?.ok === true;
    while (!(await isReady())) {
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline)
        return [nothing(`"${command}": what does not answer`, url)];
      await pause(250);
    }
    const checks = await work(url);
    signal("SIGINT");
    const inTime = await Promise.race([ended.then(() => true), pause(15_000, false)]);
    return [...checks, nothing("what still runs 15 s after Ctrl+C", inTime ? "" : command)];
  } finally {
    signal("SIGKILL");
  }
};

const succeeds = async ({ root, environment }: Clone, command: string): Promise<Check> => {
  const child = spawn("bash", ["-c", command], { cwd: root, env: environment, stdio: "inherit" });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { claim: command, holds: code === 0, seen: `ended with ${code}` };
};

const readJson = <T>(file: string): T | null =>
  existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;

const nothing = (claim: string, seen: string): Check => ({ claim, holds: seen === "", seen: seen || "none" });

const output = (program: string, ...words: string[]): string => {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: repositoryRoot, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${words.join(" ")} ended with ${status}: ${stderr}`);
  return stdout.trim();
};

process.exitCode = await main();
