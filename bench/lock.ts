import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { atExit } from "../server/testing/at-exit.ts";
import { readIntegrity } from "./book-file.ts";
import { countBlocked, readStoredHalves, runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type HttpClient, openHttpClient } from "./http-client.ts";
import { percentile } from "./load/recording.ts";
import { inheritedEnvironment } from "./program.ts";
import { type Service, startService } from "./service.ts";
import { decisionPath, reportEvent, requestOf, visitorAt, visitPatiently } from "./visitor.ts";

export type LockOptions = {
  holdMs: number;
  writers: number;
  /** How long the slowest read may take. */
  slowestMs: number;
  /** How long 99 of a hundred answers of `/healthz` may take. */
  healthP99Ms: number;
  /** How long after the lock a write may be taken again. */
  backMs: number;
};

/** What was seen while another process had the database. */
type Seen = {
  healthMs: number[];
  decisionMs: number[];
  blockedDecisions: number;
  refused: number;
  refusedWithoutRetryAfter: number;
  wrong: string[];
  /** `request offer` of every impression that was acknowledged, whenever that was. */
  kept: string[];
  /** From the end of the lock until a new visitor's impression was taken. */
  recoveryMs: number;
};

/** Takes the database away for a while: reads go on, writes are refused honestly, and nothing is lost. */
export async function lock(options: LockOptions): Promise<Check[]> {
  const service = await startService({
    environment: { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" },
  });
  const client = openHttpClient(service.url, options.writers + 3);
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Lock", origins: ["https://lock.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass"].map((brand) => ({
        brand,
        landingUrl: "https://landing.example/",
      })),
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    const seen = await useWhileLocked(service, client, website, options);
    return [...checkSeen(seen, options), ...(await checkBooks(service, seen))];
  } finally {
    client.close();
    await service.stop();
  }
}

const useWhileLocked = async (
  service: Service,
  client: HttpClient,
  website: MadeWebsite,
  options: LockOptions,
): Promise<Seen> => {
  const seen: Seen = {
    healthMs: [],
    decisionMs: [],
    blockedDecisions: 0,
    refused: 0,
    refusedWithoutRetryAfter: 0,
    wrong: [],
    kept: [],
    recoveryMs: Number.POSITIVE_INFINITY,
  };
  const writes: Write[][] = [];
  const visits = visitsOfWriter(options);
  for (let writer = 0; writer < options.writers; writer += 1) {
    const own: Write[] = [];
    for (let visit = 0; visit < visits; visit += 1) {
      own.push(...(await prepareWrites(client, website, writer * visits + visit)));
      seen.blockedDecisions += 1;
    }
    writes.push(own);
  }
  const holder = await holdWriteLock(await service.databaseFile(), options.holdMs);
  let held = true;
  // Beside the writes that are under way by then.
  const recovered = holder.released.then(async () => {
    held = false;
    seen.recoveryMs = await recover(client, website, seen);
  });
  const going = (): boolean => held;
  await Promise.all([
    recovered,
    probe(going, seen.healthMs, () => client.get("/healthz"), seen),
    decideOnAndOn(going, client, website, seen),
    ...writes.map((own) => writeOnAndOn(going, client, own, seen)),
  ]);
  return seen;
};

type Write = {
  visitor: ReturnType<typeof visitorAt>;
  requestId: string;
  offer: Parameters<typeof reportEvent>[3]["offer"];
};

/** A write is refused after up to a second, and a visit is good for one of each of its offers: enough until the lock is gone. */
const visitsOfWriter = ({ holdMs }: LockOptions): number => Math.ceil(holdMs / 1000);

const prepareWrites = async (client: HttpClient, website: MadeWebsite, number: number): Promise<Write[]> => {
  const visitor = visitorAt(number, website);
  const { decision, offers } = await visitPatiently(client, website, visitor);
  if (offers.length === 0) throw new Error("no offers were handed out");
  return offers.map((offer) => ({ visitor, requestId: decision.requestId, offer }));
};

/** Another process takes the write lock of a database file for so long, or until it is ended. */
export async function holdWriteLock(
  file: string,
  ms: number,
): Promise<{ released: Promise<void>; end: () => void }> {
  const program = join(import.meta.dirname, "hold-write-lock.ts");
  const child = spawn(process.execPath, [program, file, String(ms)], {
    env: inheritedEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout });
  child.once(
    "exit",
    atExit(() => child.kill()),
  );
  const ended = once(child, "exit");
  const [first] = await Promise.race([once(lines, "line"), ended]);
  if (first !== "held") throw new Error("the write lock could not be taken");
  return { released: ended.then(() => undefined), end: () => void child.kill() };
}

/** Asks again and again and keeps how long each answer took. */
const probe = async (
  going: () => boolean,
  times: number[],
  ask: () => Promise<{ status: number }>,
  seen: Seen,
): Promise<void> => {
  while (going()) {
    const from = performance.now();
    const { status } = await ask();
    times.push(performance.now() - from);
    if (status !== 200) seen.wrong.push(`a read was answered ${status}`);
    await pause(10);
  }
};

const decideOnAndOn = (going: () => boolean, client: HttpClient, website: MadeWebsite, seen: Seen) => {
  let number = 10_000;
  return probe(
    going,
    seen.decisionMs,
    async () => {
      const answer = await client.get(decisionPath(website), visitorAt(number++, website).headers);
      if (answer.status === 200) seen.blockedDecisions += 1;
      return answer;
    },
    seen,
  );
};

/** Each write is sent once, so that what is acknowledged and lost is not made good by what is sent later. */
const writeOnAndOn = async (
  going: () => boolean,
  client: HttpClient,
  writes: readonly Write[],
  seen: Seen,
): Promise<void> => {
  for (const write of writes) {
    if (!going()) return;
    const { status, headers } = await reportEvent(client, "impression", write.visitor, write);
    if (status === 204) seen.kept.push(`${requestOf(write.requestId)} ${write.offer.id}`);
    else if (status === 503) seen.refused += 1;
    else seen.wrong.push(`a write was answered ${status}`);
    if (status === 503 && !/^[1-9]\d*$/.test(headers["retry-after"] ?? ""))
      seen.refusedWithoutRetryAfter += 1;
    await pause(20);
  }
};

const checkSeen = (seen: Seen, { slowestMs, healthP99Ms, backMs }: LockOptions): Check[] => [
  atLeast("decisions while locked", seen.decisionMs.length, 20),
  atMost("slowest /healthz in ms", Math.round(Math.max(...seen.healthMs)), slowestMs),
  atMost("p99 of /healthz in ms", Math.round(percentile(seen.healthMs, 99)), healthP99Ms),
  atMost("slowest decision in ms", Math.round(Math.max(...seen.decisionMs)), slowestMs),
  // A pause of the machine makes one of them slow, and one that waits for the lock makes most of them so.
  atMost("median of /healthz in ms", medianOf(seen.healthMs), 250),
  atMost("median of decisions in ms", medianOf(seen.decisionMs), 250),
  atLeast("writes refused with 503", seen.refused, 1),
  equal("refusals without Retry-After", seen.refusedWithoutRetryAfter, 0),
  equal("answers that should not be", seen.wrong.slice(0, 3).join("; "), ""),
  atMost("until a write was taken again, in ms", Math.round(seen.recoveryMs), backMs),
];

const medianOf = (times: readonly number[]): number =>
  Math.round(times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0);

/** The lock is gone: how long until a write is taken again, in milliseconds? */
const recover = async (client: HttpClient, website: MadeWebsite, seen: Seen): Promise<number> => {
  const from = performance.now();
  while (performance.now() - from < 20_000) {
    const [write] = await prepareWrites(client, website, 50_000).catch(() => []);
    seen.blockedDecisions += 1;
    if (write !== undefined) {
      const answer = await reportEvent(client, "impression", write.visitor, write).catch(() => null);
      if (answer?.status === 204) {
        seen.kept.push(`${requestOf(write.requestId)} ${write.offer.id}`);
        return performance.now() - from;
      }
    }
    await pause(20);
  }
  return Number.POSITIVE_INFINITY;
};

const checkBooks = async (service: Service, seen: Seen): Promise<Check[]> => {
  await untilBlockedAre(service, seen.blockedDecisions);
  const stored = (await readStoredHalves(service)).once;
  const lost = seen.kept.filter((key) => !stored.has(`${key} impression`));
  return [
    equal("acknowledged impressions that are lost", lost.length, 0),
    equal("blocked visits on the books", await countBlocked(service), seen.blockedDecisions),
    equal("integrity of the database", readIntegrity(await service.databaseFile()), "ok"),
    equal("recount", await runCheckCommand(service, "recount"), ""),
  ];
};

/** A blocked visit that was decided without the disk is written as soon as the disk is back. */
const untilBlockedAre = async (service: Service, wanted: number): Promise<void> => {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline && (await countBlocked(service)) < wanted) await pause(50);
};

if (import.meta.main) {
  const options = readNumbers(
    { holdMs: 5000, writers: 8, slowestMs: 250, healthP99Ms: 200, backMs: 2000 },
    process.argv.slice(2),
  );
  process.exitCode = printChecks("Write lock held by another process", await lock(options));
}
