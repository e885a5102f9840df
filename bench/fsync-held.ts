import { issueKey } from "./api-key.ts";
import { everybodyBlocked, makeCatalogue } from "./catalogue.ts";
import { atLeast, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Answer, type HttpClient, openHttpClient } from "./http-client.ts";
import { compileSlowFsync, type SlowFsync } from "./machine/slow-fsync.ts";
import { startService } from "./service.ts";
import { followLink, reportEvent, visitorAt, visitPatiently } from "./visitor.ts";

export type FsyncHeldOptions = {
  /** How much longer every fsync takes, in milliseconds. */
  heldMs: number;
  /** Writes of each kind, half of them one after another and half at once. */
  writes: number;
};

/**
 * Holds every fsync of the service up: an answer that promises something durable must then take at least as long.
 * That tells `synchronous=FULL` from less, as no killed process can.
 */
export async function fsyncHeld(slowFsync: SlowFsync, options: FsyncHeldOptions): Promise<Check[]> {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };
  const service = await startService({ environment });
  let held: typeof service | null = null;
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Held", origins: ["https://held.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy"].map((brand) => ({ brand, landingUrl: "https://landing.example/" })),
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const key = await issueKey(service);
    await service.kill();
    held = await startService({
      environment: { ...environment, ...slowFsync.environment(options.heldMs) },
      dataDir: service.dataDir,
    });
    const client = openHttpClient(held.url, options.writes * 2);
    const checks: Check[] = [];
    for (const [kind, status] of Object.entries(kinds)) {
      const writes = await Promise.all(
        Array.from({ length: options.writes }, (_, number) =>
          prepare[kind as Kind](client, { website, made, key, number }),
        ),
      );
      checks.push(...(await checkHeld(kind, status, writes, options.heldMs)));
    }
    client.close();
    return checks;
  } finally {
    await held?.stop();
    await service.stop();
  }
}

/** The writes that a caller is told about, and the status that tells them that it is kept. */
const kinds = { impression: 204, click: 204, hop: 302, ping: 204, serverEvent: 201 } as const;
type Kind = keyof typeof kinds;
type Write = () => Promise<Answer>;
type Scene = {
  website: Awaited<ReturnType<typeof makeCatalogue>>["websites"][number];
  made: Awaited<ReturnType<typeof makeCatalogue>>;
  key: Record<string, string>;
  number: number;
};

const prepareEvent =
  (type: "impression" | "click") =>
  async (client: HttpClient, { website, number }: Scene): Promise<Write> => {
    const visitor = visitorAt(number, website);
    const { decision, offers } = await visitPatiently(client, website, visitor);
    const [offer] = offers;
    if (offer === undefined) throw new Error("no offers were handed out");
    return () => reportEvent(client, type, visitor, { requestId: decision.requestId, offer });
  };

const prepare: Record<Kind, (client: HttpClient, scene: Scene) => Promise<Write>> = {
  impression: prepareEvent("impression"),
  click: prepareEvent("click"),
  hop: async (client, { website, number }) => {
    const visitor = visitorAt(number, website);
    const [offer] = (await visitPatiently(client, website, visitor)).offers;
    if (offer === undefined) throw new Error("no offers were handed out");
    return () => followLink(client, visitor, offer.url);
  },
  ping: async (client, { website, number }) => {
    const body = JSON.stringify({ websiteKey: website.websiteKey, scriptVersion: `1.0.${number}` });
    const headers = { ...visitorAt(number, website).headers, "content-type": "text/plain" };
    return () => client.post("/v1/events/snippet-ping", body, headers);
  },
  serverEvent: async (client, { website, made, key }) => {
    const { websiteKey } = website;
    const body = JSON.stringify({ type: "impression", websiteKey, offerId: made.offers[0]?.offerId });
    return () => client.post("/v1/events", body, { ...key, "content-type": "application/json" });
  },
};

const checkHeld = async (
  kind: string,
  status: number,
  writes: readonly Write[],
  heldMs: number,
): Promise<Check[]> => {
  const seen: { status: number; ms: number }[] = [];
  const send = async (write: Write): Promise<void> => {
    const from = performance.now();
    const answer = await write();
    seen.push({ status: answer.status, ms: performance.now() - from });
  };
  const half = Math.ceil(writes.length / 2);
  for (const write of writes.slice(0, half)) await send(write);
  await Promise.all(writes.slice(half).map(send));
  const wrong = seen.filter((answer) => answer.status !== status).map((answer) => answer.status);
  const soonest = Math.floor(Math.min(...seen.map(({ ms }) => ms)));
  return [
    equal(`${kind}: answers other than ${status}`, wrong.join(", "), ""),
    atLeast(`${kind}: the soonest of ${seen.length} answers, in ms`, soonest, heldMs),
  ];
};

if (import.meta.main) {
  const options = readNumbers({ heldMs: 300, writes: 8 }, process.argv.slice(2));
  const slowFsync = await compileSlowFsync();
  if (slowFsync === null) console.log("skipped: holding fsync up needs Linux and a C compiler (cc)");
  else {
    process.exitCode = printChecks("Fsync held up", await fsyncHeld(slowFsync, options));
    await slowFsync.remove();
  }
}
