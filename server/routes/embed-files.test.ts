import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { putChunks } from "../store/catalogue/chunks.ts";
import { startTestService, type TestService } from "../testing/test-service.ts";

let service: TestService;
let embedDir: string;

beforeAll(async () => {
  embedDir = mkdtempSync(join(tmpdir(), "offers-embed-"));
  mkdirSync(join(embedDir, "c"));
  writeFileSync(join(embedDir, "embed.js"), "/* loader */");
  writeFileSync(join(embedDir, "embed.js.br"), brotliCompressSync("/* loader */"));
  writeFileSync(join(embedDir, "c", "aB3-x_9.js.gz"), gzipSync("/* chunk */"));
  writeFileSync(join(embedDir, "embed.js.map"), "{}");
  writeFileSync(join(embedDir, "c", "aB3-x_9.js"), "/* chunk */");
  writeFileSync(join(embedDir, "c", "aB3-x_9.js.map"), "{}");
  writeFileSync(join(embedDir, "c", "notes.txt"), "x");
  service = await startTestService({
    embedDir,
    wrapStore: (store) => ({
      ...store,
      findChunk: async (name) => {
        if (name === "late.js") throw new StorageUnavailable("the storage refuses", 3);
        return store.findChunk(name);
      },
    }),
  });
  const kept = new Map([["kept.js", gzipSync("/* of the release before */")]]);
  await service.change(({ db }) => putChunks(db, kept, service.context.clock()));
});
afterAll(async () => {
  await service.close();
  rmSync(embedDir, { recursive: true });
});

/** A page of anybody's, without an Origin or with any. */
const load = (path: string, origin: string | null = "https://anybody.example") =>
  service.call(path, { origin });

const forEveryPage = {
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  "timing-allow-origin": "*",
  "x-content-type-options": "nosniff",
  "content-type": "text/javascript; charset=utf-8",
};

describe("the embed's files", () => {
  it("are the loader, kept for minutes", async () => {
    const answer = await load("/embed.js");
    expect(answer).toMatchObject({ status: 200, text: "/* loader */" });
    expect(answer.headers).toMatchObject({
      ...forEveryPage,
      "cache-control": "public, max-age=300, stale-while-revalidate=3600, stale-if-error=86400",
    });
    expect(answer.headers).toMatchObject({ vary: "Accept-Encoding" });
    expect(answer.headers).not.toHaveProperty("content-encoding");
  });

  it("and its chunks, kept for good", async () => {
    const answer = await load("/c/aB3-x_9.js", null);
    expect(answer).toMatchObject({ status: 200, text: "/* chunk */" });
    expect(answer.headers).toMatchObject({
      ...forEveryPage,
      "cache-control": "public, max-age=31536000, immutable",
    });
  });

  it.each(["/embed.js", "/c/aB3-x_9.js"])("%s comes whole to whoever asks for a part of it", async (path) => {
    const whole = await load(path);
    const answer = await service.call(path, { headers: { Range: "bytes=9999999-" } });
    expect([answer.status, answer.text]).toEqual([200, whole.text]);
    expect(answer.headers).not.toHaveProperty("accept-ranges");
  });

  it.each([
    ["/embed.js", "gzip, deflate, br", "br"],
    ["/embed.js", "gzip", undefined],
    ["/embed.js", "br;q=0, identity", undefined],
    ["/c/aB3-x_9.js", "gzip", "gzip"],
    ["/c/missing.js", "gzip, br", undefined],
  ])("come as %s compressed for a browser that takes %s: %s", async (path, accepted, encoding) => {
    const answer = await service.call(path, { headers: { "Accept-Encoding": accepted } });
    expect(answer.headers["content-encoding"]).toBe(encoding);
    if (answer.status === 200) {
      expect(answer.headers).toMatchObject({ ...forEveryPage, vary: "Accept-Encoding" });
    }
  });

  it.each([
    ["gzip, deflate, br", "gzip"],
    ["gzip;q=0, identity", undefined],
  ])("are chunks of the release before as well, for a browser that takes %s", async (accepted, encoding) => {
    const headers = { "Accept-Encoding": accepted };
    const script = await fetch(`${service.url}/c/kept.js`, { headers });
    expect(await script.text()).toBe("/* of the release before */");
    const answer = await service.call("/c/kept.js", { headers });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers).toMatchObject({
      ...forEveryPage,
      vary: "Accept-Encoding",
      "cache-control": "public, max-age=31536000, immutable",
    });
    expect(answer.headers["content-encoding"]).toBe(encoding);
  });

  it("are asked for again where the store cannot tell whether it has one", async () => {
    const answer = await load("/c/late.js");
    expect(answer).toMatchObject({
      status: 503,
      headers: { "retry-after": "3", "cache-control": "no-store", "access-control-allow-origin": "*" },
    });
    expect(answer.json()).toMatchObject({ code: "unavailable" });
  });

  it.each(["identity", "br"])("are not sent again to whoever has them, as %s", async (form) => {
    const asked = { "Accept-Encoding": form };
    const { etag, "last-modified": since } = (await service.call("/embed.js", { headers: asked })).headers;
    const other = await service.call("/embed.js", {
      headers: { "Accept-Encoding": form === "br" ? "identity" : "br", "If-None-Match": String(etag) },
    });
    expect(other.status).toBe(200);
    for (const condition of [{ "If-None-Match": String(etag) }, { "If-Modified-Since": String(since) }]) {
      const again = await service.call("/embed.js", { headers: { ...asked, ...condition } });
      expect(again).toMatchObject({
        ...{ status: 304, text: "" },
        headers: { etag, "access-control-allow-origin": "*", vary: "Accept-Encoding" },
      });
      expect(String(again.headers["cache-control"])).toContain("max-age=300");
      for (const name of ["content-type", "content-encoding", "content-length"])
        expect(again.headers).not.toHaveProperty(name);
    }
  });

  it("come from memory, so that no request opens a file", async () => {
    const away = `${embedDir}-away`;
    renameSync(embedDir, away);
    try {
      expect(await load("/embed.js")).toMatchObject({ status: 200, text: "/* loader */" });
      expect(await load("/c/aB3-x_9.js")).toMatchObject({ status: 200, text: "/* chunk */" });
    } finally {
      renameSync(away, embedDir);
    }
  });

  it("answer HEAD, and no other method", async () => {
    expect(await service.call("/embed.js", { method: "HEAD" })).toMatchObject({
      ...{ status: 200, text: "" },
      headers: { "content-length": "12", "content-type": "text/javascript; charset=utf-8" },
    });
    const answer = await service.call("/embed.js", { method: "POST" });
    expect(answer).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
  });

  it.each([
    "/embed.js.map",
    "/c/aB3-x_9.js.map",
    "/embed.js.br",
    "/c/aB3-x_9.js.gz",
    "/c/notes.txt",
    "/c/missing.js",
    "/c/..%2Fembed.js",
    "/c/%2e%2e%2fembed.js",
    "/c/.js",
    "/c/aB3-x_9.js%00",
  ])("are no %s, and nobody keeps that for long", async (path) => {
    const answer = await load(path);
    expect(answer.status).toBe(404);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.json()).toMatchObject({ code: "not_found" });
  });
});
