import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repositoryRoot } from "./program.ts";

/** For each room: what it may import, and what it must not. */
const rooms: Record<string, { fine: readonly string[]; forbidden: readonly string[] }> = {
  "contract/planted.ts": { fine: ["zod", "./words.ts"], forbidden: ["express", "../server/core/price.ts"] },
  "server/core/planted.ts": {
    fine: ["node:crypto", "@offers/contract/words", "./price.ts"],
    forbidden: ["node:fs", "kysely", "zod", "../store/schema.ts", "../http/problem.ts"],
  },
  "contract/dash/planted.ts": { fine: ["zod", "../words.ts"], forbidden: ["../../server/core/price.ts"] },
  "server/desk/planted.ts": {
    fine: ["../store/catalogue/users.ts", "../store/open-store.ts", "../core/actor.ts"],
    forbidden: ["better-sqlite3", "../store/sqlite/database.ts", "../routes/hop.ts", "../context.ts"],
  },
  "server/routes/dash/planted.ts": {
    fine: ["../../core/access.ts", "../../desk/desk.ts", "../../http/dash-route.ts"],
    forbidden: ["../../store/catalogue/users.ts", "../../desk/start-desk.ts", "express", "kysely"],
  },
  "server/store/threads/planted.ts": {
    fine: ["../journal/journal.ts", "node:worker_threads"],
    forbidden: ["better-sqlite3", "../sqlite/database.ts", "kysely"],
  },
  "server/store/spool/planted.ts": {
    fine: ["../journal/spool.ts", "../threads/start-thread.ts", "../sqlite/open-sqlite.ts"],
    forbidden: ["../sqlite/fact-rows.ts", "../schema.ts", "kysely", "better-sqlite3", "../open-store.ts"],
  },
  // A room of the store that has no rule of its own.
  "server/store/planted.ts": {
    fine: ["../../core/price.ts", "@offers/contract/words"],
    forbidden: [
      "express",
      "geoip-lite",
      "better-sqlite3",
      "kysely",
      "../journal/journal.ts",
      "../../config.ts",
    ],
  },
  "server/store/store.ts": {
    fine: ["../core/price.ts", "./journal/journal.ts"],
    forbidden: [
      "./sqlite/start-writer.ts",
      "./snapshot/snapshot.ts",
      "./catalogue/offers.ts",
      "better-sqlite3",
    ],
  },
  "server/store/open-store.ts": {
    fine: [
      "./sqlite/start-writer.ts",
      "./snapshot/snapshot.ts",
      "./journal/last-uses.ts",
      "./spool/open-spool.ts",
      "./store.ts",
    ],
    forbidden: [
      "./books/report.ts",
      "./catalogue/offers.ts",
      "better-sqlite3",
      "kysely",
      "../http/problem.ts",
    ],
  },
  "server/store/journal/planted.ts": {
    fine: ["../../core/price.ts", "@offers/contract/words", "./journal.ts"],
    forbidden: [
      "kysely",
      "better-sqlite3",
      "../schema.ts",
      "../sqlite/cells.ts",
      "../snapshot/snapshot.ts",
      "node:fs",
    ],
  },
  "server/store/snapshot/planted.ts": {
    fine: ["../../core/price.ts"],
    forbidden: ["kysely", "../schema.ts", "../sqlite/reader-questions.ts", "../journal/journal.ts"],
  },
  "server/store/catalogue/planted.ts": {
    fine: ["kysely", "../schema.ts", "../../core/price.ts"],
    forbidden: [
      "better-sqlite3",
      "../sqlite/storage-trouble.ts",
      "../journal/journal.ts",
      "../books/report.ts",
    ],
  },
  "server/store/books/planted.ts": {
    fine: ["kysely", "../schema.ts", "../../core/price.ts"],
    forbidden: ["better-sqlite3", "../sqlite/database.ts", "../catalogue/offers.ts", "../journal/journal.ts"],
  },
  "server/store/migrations/planted.ts": {
    fine: ["kysely"],
    forbidden: ["../schema.ts", "../../core/figures.ts", "better-sqlite3"],
  },
  "server/store/sqlite/planted.ts": {
    fine: ["better-sqlite3", "kysely", "../journal/recording.ts", "../schema.ts", "../../core/price.ts"],
    forbidden: [
      "../catalogue/offers.ts",
      "../books/report.ts",
      "../snapshot/snapshot.ts",
      "../open-store.ts",
      "pg",
    ],
  },
  "server/store/postgres/planted.ts": {
    fine: [
      "pg",
      "kysely",
      "../journal/recording.ts",
      "../rows/spend.ts",
      "../schema.ts",
      "../../core/price.ts",
    ],
    forbidden: [
      "better-sqlite3",
      "../sqlite/cells.ts",
      "../spool/open-spool.ts",
      "../catalogue/offers.ts",
      "../books/report.ts",
    ],
  },
  "server/store/postgres/reader-thread.ts": {
    fine: ["../catalogue/catalogue-changes.ts", "../books/report.ts", "./database.ts"],
    forbidden: ["../snapshot/snapshot.ts", "../open-store.ts", "../sqlite/database.ts"],
  },
  "server/store/postgres/migrate.ts": {
    fine: ["pg", "../migrations/both-engines.ts", "./layout.ts"],
    forbidden: ["kysely", "../schema.ts", "../books/report.ts", "../sqlite/migrate.ts"],
  },
  "server/store/move/planted.ts": {
    fine: ["pg", "kysely", "../sqlite/open-alone.ts", "../postgres/connect.ts", "../books/recount.ts"],
    forbidden: ["../open-store.ts", "../journal/journal.ts", "../../config.ts", "node:fs"],
  },
  "server/store/rows/planted.ts": {
    fine: ["../journal/recording.ts", "../schema.ts", "../../core/price.ts"],
    forbidden: ["better-sqlite3", "pg", "kysely", "../sqlite/cells.ts", "../postgres/connect.ts"],
  },
  "server/store/sqlite/reader-thread.ts": {
    fine: ["../catalogue/catalogue-changes.ts", "../books/report.ts", "./database.ts"],
    forbidden: ["../snapshot/snapshot.ts", "../open-store.ts", "../../http/problem.ts"],
  },
  "server/store/conformance/planted.ts": {
    fine: ["vitest", "kysely", "../store.ts", "../books/recount.ts", "../catalogue/offers.ts"],
    forbidden: ["better-sqlite3", "../sqlite/database.ts", "../open-store.ts"],
  },
  "server/geo/planted.ts": {
    fine: ["geoip-lite", "@offers/contract/location"],
    forbidden: ["kysely", "../store/schema.ts", "../core/price.ts"],
  },
  "server/http/planted.ts": {
    fine: ["express", "../core/origin.ts", "../geo/address-bits.ts", "../log/tally.ts", "../context.ts"],
    forbidden: [
      "better-sqlite3",
      "kysely",
      "geoip-lite",
      "../log/create-log.ts",
      "../routes/decision.ts",
      "../geo/geo.ts",
      "../store/catalogue/offers.ts",
    ],
  },
  "server/routes/planted.ts": {
    fine: ["express", "../core/price.ts", "../http/problem.ts", "../context.ts"],
    forbidden: [
      "better-sqlite3",
      "kysely",
      "geoip-lite",
      "../geo/open-geo.ts",
      "../config.ts",
      "../store/sqlite/database.ts",
      "../store/schema.ts",
    ],
  },
  "server/metrics/planted.ts": {
    fine: [
      "prom-client",
      "node:http",
      "../core/buckets.ts",
      "../http/node-call.ts",
      "../store/store.ts",
      "../context.ts",
    ],
    forbidden: [
      "kysely",
      "express",
      "../routes/health.ts",
      "../store/sqlite/database.ts",
      "../config.ts",
      "../store/open-store.ts",
    ],
  },
  "server/page-check/planted.ts": {
    fine: ["node:https", "ipaddr.js", "../core/page-check.ts"],
    forbidden: ["kysely", "node:fs", "../store/store.ts", "../http/problem.ts", "../routes/decision.ts"],
  },
  "server/log/planted.ts": {
    fine: ["pino", "node:fs", "../core/log-events.ts"],
    forbidden: ["../config.ts", "../context.ts", "../http/problem.ts", "../store/store.ts", "kysely"],
  },
  "server/oauth/planted.ts": {
    fine: ["oidc-provider", "express", "../core/oauth.ts", "../http/problem.ts", "../context.ts"],
    forbidden: [
      "better-sqlite3",
      "kysely",
      "../store/catalogue/oauth-rows.ts",
      "../store/store.ts",
      "../routes/docs.ts",
      "../config.ts",
    ],
  },
  "server/demo/planted.ts": {
    fine: ["../store/catalogue/offers.ts", "../store/open-store.ts", "../core/price.ts", "../config.ts"],
    forbidden: [
      "../admin/command.ts",
      "../store/sqlite/database.ts",
      "../routes/decision.ts",
      "kysely",
      "zod",
    ],
  },
  "server/admin/planted.ts": {
    fine: [
      "../page-check/check-page.ts",
      "../program-version.ts",
      "../store/catalogue/offers.ts",
      "../store/books/audit.ts",
      "../store/open-store.ts",
      "../store/move/move.ts",
      "../config.ts",
    ],
    forbidden: [
      "express",
      "../http/problem.ts",
      "../routes/decision.ts",
      "../app.ts",
      "../demo/fill-demo.ts",
      "../store/sqlite/database.ts",
      "../store/journal/journal.ts",
    ],
  },
  "server/app.ts": {
    fine: ["./routes/decision.ts", "express"],
    forbidden: ["better-sqlite3", "geoip-lite", "./admin/main.ts", "./store/sqlite/database.ts"],
  },
  "server/main.ts": {
    fine: ["./store/open-store.ts", "./demo/fill-demo.ts", "./app.ts"],
    forbidden: ["./store/sqlite/database.ts", "./store/journal/journal.ts", "better-sqlite3", "kysely"],
  },
  "server/running-mark.ts": {
    fine: ["./store/is-running.ts", "node:fs"],
    forbidden: ["./store/sqlite/backup.ts"],
  },
  "embed/planted.ts": {
    fine: ["preact", "@offers/contract/words"],
    forbidden: [
      "zod",
      "node:fs",
      "@offers/contract/catalogue",
      "../server/core/price.ts",
      "../dashboard/api.ts",
    ],
  },
  "dashboard/planted.ts": {
    fine: ["preact", "preact/hooks", "preact-iso/router", "ky", "@offers/contract/words", "./parts/card.tsx"],
    forbidden: [
      "zod",
      "node:fs",
      "express",
      "@offers/contract/catalogue",
      "../server/core/price.ts",
      "../embed/wire/request.ts",
    ],
  },
  "demo-site/planted.ts": {
    fine: ["express", "node:fs", "./app.ts"],
    forbidden: ["@offers/contract/words", "../server/app.ts", "zod"],
  },
  "e2e/planted.ts": {
    fine: ["@playwright/test"],
    forbidden: ["../server/app.ts", "../embed/vite.config.ts", "../dashboard/api.ts"],
  },
  "bench/planted.ts": {
    fine: [
      "better-sqlite3",
      "../server/core/price.ts",
      "../server/testing/log-search.ts",
      "../server/testing/read-metrics.ts",
    ],
    forbidden: ["../server/store/schema.ts", "../server/http/problem.ts"],
  },
};

type Complaint = { rule: string; file: string };
let complaints: Complaint[] = [];
/** Each is linted by itself, under a copy of our rules. */
const roots = new Set<string>();
const directory = mkdtempSync(join(tmpdir(), "offers-house-"));

/** A tree of nothing but the linter's rules and planted files: what is forbidden here never stands in ours. */
beforeAll(() => {
  for (const [file, { fine, forbidden }] of Object.entries(rooms)) {
    for (const from of forbidden) plant(variant(file, from), `import "${from}";\n`);
    plant(variant(file, "fine"), fine.map((from) => `import "${from}";\n`).join(""));
  }
  plant(
    "tree/server/core/ring-one.ts",
    'import { two } from "./ring-two.ts";\nexport const one = (): number => two();\n',
  );
  plant(
    "tree/server/core/ring-two.ts",
    'import { one } from "./ring-one.ts";\nexport const two = (): number => one();\n',
  );
  // Types alone, which the compiler takes out: whoever reads one file has to read the other all the same.
  plant(
    "tree/server/core/types-one.ts",
    'import type { Two } from "./types-two.ts";\nexport type One = { two: Two };\n',
  );
  plant(
    "tree/server/core/types-two.ts",
    'import type { One } from "./types-one.ts";\nexport type Two = { one: One | null };\n',
  );
  plant("tree/server/core/barrel.ts", 'export * from "./ring-one.ts";\n');
  plant("tree/server/core/anything.ts", "export const anything = (value: any): unknown => value;\n");
  plant(
    "tree/server/core/floating.ts",
    "const later = async (): Promise<void> => {};\nexport const now = (): void => {\n  later();\n};\n",
  );
  complaints = [...roots].flatMap(lint);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("the linter keeps the rooms apart", () => {
  for (const [file, { forbidden }] of Object.entries(rooms)) {
    for (const from of forbidden) {
      test(`${file} may not import ${from}`, () => {
        expect(rulesBrokenBy(variant(file, from))).toContain("lint/style/noRestrictedImports");
      });
    }
    test(`${file} may import what it needs`, () => {
      expect(rulesBrokenBy(variant(file, "fine"))).not.toContain("lint/style/noRestrictedImports");
    });
  }

  test.each([
    ["tree/server/core/ring-one.ts", "lint/suspicious/noImportCycles"],
    ["tree/server/core/ring-two.ts", "lint/suspicious/noImportCycles"],
    ["tree/server/core/types-one.ts", "lint/suspicious/noImportCycles"],
    ["tree/server/core/barrel.ts", "lint/performance/noReExportAll"],
    ["tree/server/core/anything.ts", "lint/suspicious/noExplicitAny"],
    ["tree/server/core/floating.ts", "lint/nursery/noFloatingPromises"],
  ])("%s breaks %s", (file, rule) => {
    expect(rulesBrokenBy(file)).toContain(rule);
  });
});

/** Those that start the program and need not search what it logs. */
const searchedElsewhere: Readonly<Record<string, string>> = {
  "bench/file-modes.test.ts": "it logs nothing: LOG_LEVEL=silent",
  "bench/program.ts": "whoever starts it there hears it",
  "bench/yardsticks/start-yardstick.ts": "programs of its own",
  "demo-site/run-both.ts": "what npm start runs itself",
  "server/testing/logging-programs.ts": "server/log/unwritable-log.test.ts, which asks for them, searches",
};

/** By the words with which they do it. */
const startsTheProgram = /\b(?:startProgram|spawn|fork)\(/;
const namesTheProgram =
  /\bstartProgram\(|server\/main\.ts|import\.meta\.dirname, "(?:\.\.\/)?main\.ts"|serviceFile|\bset_in ExecStart/;

test("whoever starts the program searches what it logs, or has a reason not to", () => {
  const files = ["bench", "e2e", "server", "demo-site"].flatMap((room) =>
    readdirSync(join(repositoryRoot, room), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"))
      .map((file) => join(room, file)),
  );
  const starting = files.filter((file) => {
    // The command line has a main of its own, and says what it says to whoever runs it.
    if (file.startsWith("server/admin/") || file.endsWith("house.test.ts")) return false;
    const text = readFileSync(join(repositoryRoot, file), "utf8");
    return (/\brunShell\(/.test(text) || startsTheProgram.test(text)) && namesTheProgram.test(text);
  });
  const searching = starting.filter((file) =>
    readFileSync(join(repositoryRoot, file), "utf8").includes("/log-search.ts"),
  );
  expect(searching).toContain("bench/service.ts");
  const others = starting.filter((file) => !searching.includes(file));
  expect(others.toSorted()).toEqual(Object.keys(searchedElsewhere).toSorted());
});

/** What begins a line, and with it stands outside all functions: a variable, or a collection that begins empty and is so to be filled. */
const mutableAtModuleLevel =
  /^(?:export )?(?:let |var |const \w+(?:: (?!readonly|Readonly)[^=]+)? = (?:new (?:Map|Set|WeakSet)\b.*\(\)|\[\]|\{\});)/m;

test.each([
  ["let kept = 0;", true],
  ["export const seen = new Map<string, number[]>();", true],
  ["const seen: string[] = [];", true],
  ["const none: readonly string[] = [];", false],
  ['const hosts = new Set(["localhost"]);', false],
  ["const besideOf = new WeakMap<Server, Server[]>();", false],
  ["  let kept = 0;", false],
])("of what is mutable at module level %j is one: %j", (line, isOne) => {
  expect(mutableAtModuleLevel.test(`const one = 1;\n${line}\n`)).toBe(isOne);
});

test("nothing is mutable at module level in the server", () => {
  const files = readdirSync(join(repositoryRoot, "server"), { recursive: true, encoding: "utf8" }).filter(
    (file) => /(?<!\.test|-for-tests)\.ts$/.test(file) && !/^testing|node_modules/.test(file),
  );
  expect(files).toContain("main.ts");
  const textOf = (file: string) => readFileSync(join(repositoryRoot, "server", file), "utf8");
  expect(files.filter((file) => mutableAtModuleLevel.test(textOf(file)))).toEqual([]);
});

const plant = (file: string, text: string): void => {
  const path = join(directory, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const root = join(directory, file.split("/")[0] ?? "");
  if (!roots.has(root)) copyFileSync(join(repositoryRoot, "biome.json"), join(root, "biome.json"));
  roots.add(root);
};

/**
 * A planted file of its own for each import, in the tree of all of them. A rule for one named file needs
 * the name itself, and so a tree of its own.
 */
const variant = (file: string, name: string): string => {
  const folder = name.replaceAll(/[^a-z]+/gi, "-");
  return file.endsWith("planted.ts")
    ? `tree/${file.replace("planted.ts", `${folder}/planted.ts`)}`
    : `${folder}/${file}`;
};

const lint = (root: string): Complaint[] => {
  const program = join(repositoryRoot, "node_modules/@biomejs/biome/bin/biome");
  const words = ["lint", "--vcs-enabled=false", "--max-diagnostics=none", "--reporter=json", "."];
  const { stdout } = spawnSync(process.execPath, [program, ...words], { cwd: root, encoding: "utf8" });
  const report = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
  return report.diagnostics.map(({ category, location }) => ({
    rule: category,
    file: relative(directory, join(root, location.path)),
  }));
};

const rulesBrokenBy = (file: string): string[] =>
  complaints.filter((complaint) => complaint.file === file).map(({ rule }) => rule);
