import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBuiltChunks } from "../../built-chunks.ts";
import { StorageUnavailable } from "../../core/storage-unavailable.ts";
import { putChunks } from "../../store/catalogue/chunks.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

const folders: string[] = [];

/** A dashboard that was built of a script and a style sheet, whose contents name its release. */
const built = (release: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "offers-dashboard-"));
  folders.push(folder);
  mkdirSync(join(folder, "a"));
  writeFileSync(join(folder, "index.html"), `<script src="/dash/a/${release}.js"></script>`);
  for (const file of [`${release}.js`, `${release}-look_.css`]) {
    writeFileSync(join(folder, "a", file), `/* ${release} */`);
    writeFileSync(join(folder, "a", `${file}.gz`), gzipSync(`/* ${release} */`));
  }
  return folder;
};

/** Two nodes of different releases on one database. */
let before: TestService;
let next: TestService;
beforeAll(async () => {
  before = await startTestService({ dashboardDir: built("before") });
  next = await startTestService({
    beside: before,
    dashboardDir: built("next"),
    wrapStore: (store) => ({
      ...store,
      findChunk: async (name) => {
        if (name === "dash/late.js") throw new StorageUnavailable("the storage refuses", 3);
        return store.findChunk(name);
      },
    }),
  });
  for (const { change, context } of [before, next]) {
    await change(({ db }) => putChunks(db, readBuiltChunks(context), context.clock()));
  }
});
afterAll(async () => {
  await next.close();
  await before.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const nodes = { before: () => before, next: () => next };
const types = { js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };

describe("the dashboard's files while nodes are replaced", () => {
  it.each([
    ["before", "before.js", "js"],
    ["before", "next.js", "js"],
    ["before", "next-look_.css", "css"],
    ["next", "before.js", "js"],
    ["next", "before-look_.css", "css"],
  ] as const)("are those of either release: the node of %s hands out %s", async (node, file, type) => {
    for (const [accepted, encoding] of [["gzip, br", "gzip"], ["identity"]]) {
      const headers = { "Accept-Encoding": String(accepted) };
      const answer = await nodes[node]().call(`/dash/a/${file}`, { origin: null, headers });
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        "cache-control": "public, max-age=31536000, immutable",
        "content-type": types[type],
        vary: "Accept-Encoding",
      });
      expect(answer.headers["content-encoding"]).toBe(encoding);
      const script = await fetch(`${nodes[node]().url}/dash/a/${file}`, { headers });
      expect(await script.text()).toBe(`/* ${/^[a-z]+/.exec(file)?.[0]} */`);
    }
  });

  it.each(["missing.js", "next.js.gz", "next.js.map", "..%2Findex.html", ".js"])(
    "are no %s, and nobody keeps that",
    async (file) => {
      const answer = await before.call(`/dash/a/${file}`, { origin: null });
      expect(answer).toMatchObject({ status: 404, headers: { "cache-control": "no-store" } });
    },
  );

  it("are asked for again where the store cannot tell whether it has one", async () => {
    const answer = await next.call("/dash/a/late.js", { origin: null });
    expect(answer).toMatchObject({
      status: 503,
      headers: { "retry-after": "3", "cache-control": "no-store" },
    });
  });

  it("are loaded by a page whose form says where it comes from, at an address without https as well", async () => {
    const page = await before.call("/dash/reports", { origin: null });
    expect(page).toMatchObject({ status: 200, headers: { "referrer-policy": "same-origin" } });
    const source = readFileSync(new URL("../../../dashboard/index.html", import.meta.url), "utf8");
    expect(source).toContain('<meta name="referrer" content="same-origin" />');
  });

  it("are never the tag's, nor are those the dashboard's", async () => {
    expect(await before.call("/c/next.js")).toMatchObject({ status: 404 });
    const kept = new Map([["tag.js", gzipSync("/* tag */")]]);
    await before.change(({ db }) => putChunks(db, kept, before.context.clock()));
    expect(await before.call("/c/tag.js")).toMatchObject({ status: 200 });
    expect(await before.call("/dash/a/tag.js", { origin: null })).toMatchObject({ status: 404 });
  });
});
