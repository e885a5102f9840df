import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "../program.ts";

const read = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
const { scripts, workspaces }: { scripts: Record<string, string>; workspaces: string[] } = JSON.parse(
  read("package.json"),
);

/** One line for each instruction: comments left out, and lines that go on put together. */
const instructions = read("Containerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\s*\\\n\s*/g, " ")
  .split("\n")
  .filter((line) => line !== "");
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith("FROM ")));
const the = (word: string, lines: readonly string[] = last): string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

describe("the container file", () => {
  test("begins with images that a tag pins, the builder's with the Node of the lock file", () => {
    const [builder = "", base = ""] = the("ARG", instructions)
      .filter((line) => line.includes("="))
      .map((line) => line.replace(/^\w+=/, ""));
    const version = read(".node-version").trim();
    expect(builder).toBe(`docker.io/library/node:${version}-trixie-slim`);
    expect(base).toBe("docker.io/library/debian:13-slim");
    // Trixie is Debian 13: what was made on the one is run on the other.
    expect(the("FROM", instructions)).toEqual([
      "$" + "{BUILDER} AS manifests",
      "manifests AS dependencies",
      "manifests AS build",
      "$" + "{BASE}",
    ]);
  });

  test("takes packages from the lock file alone, and hands on what production needs", () => {
    const installs = the("RUN", instructions).flatMap(
      (line) => line.match(/npm (?:ci|i|install)\b[^&]*/g) ?? [],
    );
    expect(installs.map((words) => words.trim())).toEqual([
      "npm ci --omit=dev --workspace=server --include-workspace-root",
      "npm ci",
    ]);
    expect(the("COPY").find((line) => line.includes("node_modules"))).toMatch(/^--from=dependencies /);
  });

  test("knows the manifest of every workspace, without which npm ci would refuse the lock file", () => {
    const copied = the("COPY", instructions).flatMap(
      (line) => /^(\S+)\/package\.json \S+$/.exec(line)?.[1] ?? [],
    );
    expect(copied.sort()).toEqual([...workspaces].sort());
  });

  test("runs nothing in the last image, so that one without a shell will do, and adds nothing from elsewhere", () => {
    expect(the("RUN")).toEqual([]);
    expect(the("ADD", instructions)).toEqual([]);
    for (const line of the("COPY")) expect(line).toMatch(/^--from=(dependencies|build) /);
  });

  test("is nobody's root, by a number that owns its data directory and nothing else", () => {
    const [user = ""] = the("USER");
    expect(user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
    const owned = the("COPY").filter((line) => line.includes("--chown"));
    expect(owned).toEqual([`--from=build --chown=${user} /opt/offers/data /var/lib/offers`]);
    expect(the("VOLUME")).toEqual(["/var/lib/offers"]);
  });

  test("starts node itself, with the words of npm run serve, and asks for its health without a shell", () => {
    const [entry = "", command = "", health = ""] = [the("ENTRYPOINT"), the("CMD"), the("HEALTHCHECK")].map(
      ([line]) => line,
    );
    expect([...JSON.parse(entry), ...JSON.parse(command)].join(" ")).toBe(scripts.serve);
    const [program, , script] = JSON.parse(health.slice(health.indexOf("CMD ") + 4));
    expect(program).toBe("node");
    expect(script).toContain("/healthz");
  });

  test("has no secret, and no address of a source, in its settings", () => {
    const settings = [...the("ENV", instructions), ...the("ARG", instructions), ...the("LABEL")].join(" ");
    expect(settings).not.toMatch(/secret|password|token|DATABASE_URL|\.source=/i);
    expect(settings).toContain("image.version=" + '"$' + '{VERSION}"');
  });

  test("leaves out of the image what a machine has made or keeps to itself", () => {
    const ignored = read(".dockerignore").split("\n");
    for (const line of ["**/node_modules", "**/dist", ".git", ".data", ".env", "**/*.test.ts"])
      expect(ignored).toContain(line);
  });
});
