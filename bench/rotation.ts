import { setTimeout as pause } from "node:timers/promises";
import { issueKey } from "./api-key.ts";
import { runCheckCommand } from "./books.ts";
import { everybodyBlocked, makeCatalogue, planOffer, untilLive } from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Engine, takeEngine } from "./cluster/start-nodes.ts";
import { openHttpClient } from "./http-client.ts";
import { type Callers, startCallers } from "./rotation/callers.ts";
import { startNodes } from "./rotation/nodes.ts";
import { connectPartner, newPerson } from "./rotation/person.ts";
import { type Rotating, rotations } from "./rotation/rotations.ts";

type RotationOptions = { engine: Engine; settleMs: number };

/**
 * Replaces every secret, one after the other and as the guide says, while visitors, servers, a partner and somebody at the
 * dashboard call two nodes behind one address: no call fails, and what was replaced opens nothing more.
 */
export async function rotation({ engine, settleMs }: RotationOptions): Promise<Check[]> {
  const nodes = await startNodes(engine);
  let callers: Callers | null = null;
  try {
    const [first, second] = nodes.all;
    const made = await makeCatalogue(first, {
      websites: [{ name: "Rotation", origins: ["https://rotation.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass"].map((brand) => planOffer(brand, 1000)),
    });
    const { publisherId, websites } = made;
    const [website] = websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const { authorization } = await issueKey(first);
    const { secret } = await first.admin<{ secret: string }>(
      ...["secret", "create", "--website", website.websiteKey],
    );
    const person = await newPerson(first, nodes.url, publisherId);
    const partner = await connectPartner(first, nodes.url, { person, publisherId });
    for (const node of [first, second]) await untilLive(node, publisherId);
    callers = startCallers(openHttpClient(nodes.url, 64), website, {
      apiKey: authorization.replace("Bearer ", ""),
      integrationSecret: secret,
      partner,
      cookie: person.cookie,
    });
    const tokenSecret = nodes.tokenSecret;
    const on: Rotating = { nodes, website, publisherId, callers, person, tokenSecret };
    const checks: Check[] = [];
    for (const [what, rotate] of Object.entries(rotations)) {
      const [before, failed] = [sumOfGood(callers), callers.failed.length];
      await pause(settleMs);
      checks.push(...(await rotate(on)));
      await pause(settleMs);
      const wrong = callers.failed.slice(failed);
      checks.push(
        equal(`${what}: calls that failed meanwhile`, wrong.length, 0),
        equal("… the first of them", wrong.slice(0, 2).join("; "), ""),
        atLeast("… calls that did not", sumOfGood(callers) - before, 50),
      );
    }
    await callers.stop();
    return [
      ...checks,
      ...["impression", "hop", "key", "trigger", "refresh", "report", "dashboard"].map((kind) =>
        atLeast(`calls of kind ${kind}`, callers?.good[kind] ?? 0, 10),
      ),
      equal("recount", await runCheckCommand(first, "recount"), ""),
      equal("audit", await runCheckCommand(first, "audit"), ""),
    ];
  } finally {
    await callers?.stop();
    await nodes.stop();
  }
}

const sumOfGood = ({ good }: Callers): number => Object.values(good).reduce((sum, calls) => sum + calls, 0);

if (import.meta.main) {
  const { engine, words } = takeEngine(process.argv.slice(2));
  const { settleMs } = readNumbers({ settleMs: 1000 }, words);
  const title = `Every secret replaced under load, on ${engine}`;
  process.exitCode = printChecks(title, await rotation({ engine, settleMs }));
}
