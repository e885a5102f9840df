import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { DecisionAnswer } from "@offers/contract/decision";
import type { OffersAnswer } from "@offers/contract/offers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHttpClient } from "./http-client.ts";
import { inheritedEnvironment, repositoryRoot } from "./program.ts";
import { type Service, startService } from "./service.ts";
import { followLink, readingMs, visitorAt } from "./visitor.ts";

const readme = readFileSync(join(repositoryRoot, "README.md"), "utf8");
/** The commands of a section, each in one piece. */
const commandsOf = (title: string): string[] => {
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = ""]) =>
    text
      .replaceAll(/\\\n\s*/g, "")
      .trim()
      .split("\n"),
  );
};

let service: Service;
beforeAll(async () => {
  service = await startService({ environment: { SEED_DEMO: "true" } });
});
afterAll(() => service.stop());

const run = (command: string): ChildProcess & { output: () => string; ended: Promise<number | null> } => {
  const { port } = new URL(service.url);
  const child = spawn("bash", ["-euc", command], {
    cwd: repositoryRoot,
    env: { ...inheritedEnvironment(), PORT: port, DATA_DIR: service.dataDir, NO_COLOR: "1" },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return Object.assign(child, { output: () => text, ended });
};

describe("a tag on your own page", () => {
  const origin = "http://localhost:3000";
  const asPage = (path: string, body?: object): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      headers: { Origin: origin, "Content-Type": "text/plain", "User-Agent": "Mozilla/5.0" },
      redirect: "manual",
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });

  test("two commands lead from the address to the report of the click just made", {
    timeout: 60_000,
  }, async () => {
    const [setup = "", report = "", ...more] = commandsOf("A tag on your own page");
    expect(more).toEqual([]);
    const waiting = run(setup);
    await expect.poll(waiting.output, { timeout: 20_000 }).toContain("Waiting for the first page");
    const [, src, pub, website] =
      /<script async crossorigin src="(\S+)" data-pub="(\S+)" data-website="(\S+)"><\/script>/.exec(
        waiting.output(),
      ) ?? [];
    expect(src).toBe(`${service.url}/embed.js`);
    expect((await fetch(String(src))).status).toBe(200);

    // A page of the wrong address comes first, and is named.
    const wrong = `/v1/decision?pub=${pub}&website=${website}`;
    await expect
      .poll(
        async () => {
          await fetch(`${service.url}${wrong}`, { headers: { Origin: "http://localhost:4000" } });
          return waiting.output();
        },
        { timeout: 15_000 },
      )
      .toContain("Calls come from http://localhost:4000, which is not registered.");

    const decision = (await (await asPage(`${wrong}&dev-country=GB`)).json()) as DecisionAnswer;
    expect(decision).toMatchObject({ allowed: false, country: "GB" });
    const ping = { websiteKey: website, pub, url: `${origin}/` };
    expect((await asPage("/v1/events/snippet-ping", ping)).status).toBe(204);
    expect([await waiting.ended, waiting.output()]).toEqual([
      0,
      expect.stringContaining("✔ It works: http://localhost:3000/ has loaded the tag."),
    ]);

    const path = `/v1/offers?website=${website}&requestId=${decision.requestId}&country=GB`;
    const offers = (await (await asPage(path)).json()) as OffersAnswer;
    await pause(readingMs);
    // Not by fetch, which says of itself that it opens no page.
    const client = openHttpClient(service.url, 1);
    const visitor = visitorAt(1, { websiteKey: String(website), publicKey: String(pub), origin });
    const hop = await followLink(client, visitor, String(offers.premium[0]?.url));
    client.close();
    expect(hop.status).toBe(302);
    const reporting = run(report.replace("ws_…", String(website)));
    expect(await reporting.ended).toBe(0);
    const [titles = [], row = []] = reporting
      .output()
      .split("\n")
      .map((line) => line.split(/ {2,}/))
      .filter(({ length }) => length > 3);
    expect([row[0], row[titles.indexOf("CLICKS")]]).toEqual([expect.stringMatching(/^20/), "1"]);
  });
});

test("the operator's commands run as they stand, in their order", { timeout: 90_000 }, async () => {
  const commands = commandsOf("The operator's command line");
  expect(commands.length).toBeGreaterThan(12);
  await service.admin("offer", "export", "--file", join(service.dataDir, "offers.csv"));
  const known = new Map<string, string>();
  for (const command of commands) {
    const filled = command
      .replaceAll(/(publisher|ws|advertiser)_…/g, (name) => known.get(name) ?? name)
      .replace(" offers.csv", ` ${service.dataDir}/offers.csv`)
      .replace("/var/backups/offers.sqlite", `${service.dataDir}/backup.sqlite`);
    const running = run(filled);
    const code = await running.ended;
    // Nobody has loaded the tag of this website, which is what the check is there to say.
    expect([command, code, running.output()]).toEqual([
      command,
      command.includes("website check") ? 1 : 0,
      expect.any(String),
    ]);
    for (const [id = "", name] of running.output().matchAll(/\b(publisher|ws|advertiser)_[\w-]+/g)) {
      known.set(`${name}_…`, id);
    }
  }
});
