import { setTimeout as pause } from "node:timers/promises";
import { issueKey } from "./api-key.ts";
import { readEventIds, runCheckCommand } from "./books.ts";
import { everybodyBlocked, makeCatalogue } from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Engine, startNodes } from "./cluster/start-nodes.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { untilCounted } from "./until-counted.ts";

/** By idempotency key: the text of the answer by which the service acknowledged the event. */
type Acks = Map<string, string>;

/**
 * Servers that report events and send each again, under its idempotency key, until it is acknowledged, while the
 * service is killed. After each start every key that was acknowledged is sent once more and gets its first answer; in
 * the end every key has exactly one event, the acknowledged one.
 */
export async function serverCrash(options: {
  clients: number;
  kills: number;
  acksBetweenKills: number;
  engine?: Engine;
}): Promise<Check[]> {
  const { engine } = options;
  const nodes = await startNodes({ engine, environment: { RATE_LIMIT_FACTOR: "100000" } });
  const service = nodes.first;
  const client = openHttpClient(service.url, options.clients);
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Crash", origins: ["https://crash.example"], geo: everybodyBlocked }],
      offers: [{ brand: "Anchor", landingUrl: "https://landing.example/" }],
    });
    const headers = { ...(await issueKey(service)), "content-type": "application/json" };
    const body = JSON.stringify({
      type: "impression",
      websiteKey: made.websites[0]?.websiteKey,
      offerId: made.offers[0]?.offerId,
    });
    const acks: Acks = new Map();
    const wrong: string[] = [];
    const state = { isOver: false, keys: 0 };
    const reporters = Array.from({ length: options.clients }, async () => {
      while (!state.isOver) {
        state.keys += 1;
        await reportUntilAcknowledged(client, `key-${state.keys}`, { headers, body, acks, wrong });
      }
    });
    const repeated = { keys: 0, otherAnswers: 0 };
    for (let kill = 1; kill <= options.kills; kill += 1) {
      await untilCounted(() => acks.size, kill * options.acksBetweenKills);
      const before = [...acks];
      await service.kill();
      await service.start();
      await Promise.all(
        before.map(async ([key, first]) => {
          const { body: again } = await client.post("/v1/events", body, {
            ...headers,
            "idempotency-key": key,
          });
          repeated.keys += 1;
          if (again !== first) repeated.otherAnswers += 1;
        }),
      );
    }
    state.isOver = true;
    await Promise.all(reporters);
    const stored = await readEventIds(service);
    const storedIds = new Set(stored);
    const lost = [...acks.values()].filter((text) => !storedIds.has((JSON.parse(text) as { id: string }).id));
    return [
      atLeast("events acknowledged", acks.size, options.kills * options.acksBetweenKills),
      equal("answers that no crash explains", wrong.slice(0, 3).join("; "), ""),
      equal("acknowledged and lost", lost.length, 0),
      atLeast(
        "acknowledged keys that were sent again after a start",
        repeated.keys,
        options.acksBetweenKills,
      ),
      equal("of these, answered otherwise than the first time", repeated.otherAnswers, 0),
      equal("events, one for each key", stored.length, acks.size),
      equal("recount", await runCheckCommand(service, "recount"), ""),
    ];
  } finally {
    client.close();
    await nodes.stop();
  }
}

type Reporting = {
  headers: Record<string, string>;
  body: string;
  acks: Acks;
  wrong: string[];
};

const reportUntilAcknowledged = async (
  client: HttpClient,
  key: string,
  reporting: Reporting,
): Promise<void> => {
  const { headers, body, acks, wrong } = reporting;
  for (;;) {
    const answer = await client
      .post("/v1/events", body, { ...headers, "idempotency-key": key })
      .catch(() => null);
    if (answer?.status === 200 || answer?.status === 201) {
      acks.set(key, answer.body);
      return;
    }
    // 503 while it starts, no answer while it is gone.
    if (answer !== null && answer.status !== 503) {
      wrong.push(`${answer.status} ${answer.body}`);
      return;
    }
    await pause(5);
  }
};

if (import.meta.main) {
  const options = readNumbers({ clients: 32, kills: 5, acksBetweenKills: 1000 }, process.argv.slice(2));
  process.exitCode = printChecks("Servers' events under kills", await serverCrash(options));
}
