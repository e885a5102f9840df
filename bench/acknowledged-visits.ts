import { setTimeout as pause } from "node:timers/promises";
import { readBooks, readStoredHalves } from "./books.ts";
import type { MadeWebsite } from "./catalogue.ts";
import { type Check, equal } from "./checks.ts";
import type { Answer, HttpClient } from "./http-client.ts";
import { openClients } from "./racing.ts";
import type { Service } from "./service.ts";
import { untilCounted } from "./until-counted.ts";
import {
  followLink,
  readingMs,
  reportEvent,
  requestOf,
  type Visitor,
  visitorAt,
  visitPage,
} from "./visitor.ts";

/** Everything that the service said it had kept, written down by those who were told so. */
export type AckLog = {
  /** `request offer type` of every acknowledged event; a click's type says which half was acknowledged. */
  kept: Set<string>;
  acks: number;
  /** As `kept`, the clicks that went on when nothing could be stored for as long as a visitor waits: they are not promised. */
  passedOn: Set<string>;
  /** Answers that a client of a crashing service must never see. */
  wrong: string[];
};

export type Visits = {
  log: AckLog;
  /** Resolves when so many more events are acknowledged; rejects when none is any more. */
  untilMore: (acks: number) => Promise<void>;
  /**
   * From now on the storage is expected to refuse, or no longer: clicks that go on at once without being stored
   * (decisions.md#hop-outlasts-a-lock) are not promised meanwhile.
   */
  expectRefusals: (are: boolean) => void;
  /** Rejects where a visitor met what no crash explains. */
  stop: () => Promise<void>;
};

type VisitOptions = {
  clients: number;
  /** One of before is gone on with. */
  log?: AckLog;
  firstVisitor?: number;
  /** Whether what was not taken is sent again, as a server does, and a visitor who reloads. */
  insists?: boolean;
  /** Resolves when there is somebody to ask again; left out: there always is. */
  up?: () => Promise<void>;
  /** How many milliseconds may go by without an acknowledgement; left out: a minute. */
  patience?: number;
};

const insistsMs = 30_000;
/** From then on a click goes on without being stored (decisions.md#hop-outlasts-a-lock). */
const hopPatienceMs = 2950;

export const emptyLog = (): AckLog => ({ kept: new Set(), acks: 0, passedOn: new Set(), wrong: [] });

/** So many visitors at a time, of whom each notes what was acknowledged; of several services each is asked in turn. */
export function startVisits(
  services: readonly Pick<Service, "url">[],
  website: MadeWebsite,
  {
    clients: count,
    log = emptyLog(),
    firstVisitor = 0,
    insists = false,
    up = () => Promise.resolve(),
    patience,
  }: VisitOptions,
): Visits {
  const clients = openClients(services, count);
  const state = { going: true, visitors: firstVisitor, isRefusing: false };
  const load: VisitLoad = {
    clientAt: clients.at,
    website,
    log,
    up,
    going: () => state.going,
    nextVisitor: () => state.visitors++,
    insists,
    isRefusing: () => state.isRefusing,
  };
  const visitors = Array.from({ length: count }, () => visitOnAndOn(load));
  // Whoever waits hears of it.
  for (const visitor of visitors) visitor.catch(() => undefined);
  return {
    log,
    untilMore: (acks) => untilAcks(log, log.acks + acks, { visitors, patience }),
    expectRefusals: (are) => {
      state.isRefusing = are;
    },
    stop: async () => {
      state.going = false;
      await Promise.allSettled(visitors);
      clients.close();
      await Promise.all(visitors);
    },
  };
}

/**
 * Nothing of what was acknowledged is lost or doubled, and the ledger says what was billed.
 * @param unstored clicks that the service itself says it has passed on. Once a database has been away for as long as a click
 *   waits they go on at once, which no visitor can tell from being stored: so many may be missing, where others had to wait.
 */
export async function keptChecks(service: Service, log: AckLog, unstored = 0): Promise<Check[]> {
  const stored = await readStoredHalves(service);
  const missing = (keys: Set<string>): string[] => [...keys].filter((key) => !stored.once.has(key));
  const mayBeMissing = log.passedOn.size === 0 ? 0 : unstored - missing(log.passedOn).length;
  const { hop = [], other = [] } = Object.groupBy(missing(log.kept), (key) => (isHop(key) ? "hop" : "other"));
  const lost = [...other, ...hop.slice(Math.max(0, mayBeMissing))];
  const books = await readBooks(service);
  return [
    equal("answers that no crash explains", log.wrong.slice(0, 3).join("; "), ""),
    equal("acknowledged events that are lost", lost.length, 0),
    equal("… the first of them", lost.slice(0, 3).join("; "), ""),
    equal("events that count twice", stored.doubled, 0),
    equal("ledger lines beside billed clicks", books.ledgerLines - books.billedClicks, 0),
    equal("ledger beside what was billed, in micros", books.ledgerMicros - books.billedMicros, 0),
  ];
}

const isHop = (key: string): boolean => key.endsWith(" hop");

type VisitLoad = {
  /** Whom the `number`th call asks: of several nodes each in turn. */
  clientAt: (number: number) => HttpClient;
  website: MadeWebsite;
  log: AckLog;
  /** Resolves when there is somebody to ask again. */
  up: () => Promise<void>;
  going: () => boolean;
  nextVisitor: () => number;
  insists: boolean;
  isRefusing: () => boolean;
};

/** A visitor after the other, each of whom sends some calls twice; what breaks off is what a crash explains. */
const visitOnAndOn = async (load: VisitLoad): Promise<void> => {
  while (load.going()) {
    await load.up();
    await oneVisit(load).catch(async (error: unknown) => {
      if (!brokeOff(error)) throw error;
      await pause(5);
    });
  }
};

/** Waits for acknowledgements, unless a visitor has failed: then that error is the outcome. */
const untilAcks = async (
  log: AckLog,
  wanted: number,
  { visitors, patience }: { visitors: readonly Promise<void>[]; patience: number | undefined },
): Promise<void> => {
  const failed = Promise.all(visitors).then((): never => {
    throw new Error("all visitors ended early");
  });
  failed.catch(() => undefined);
  await untilCounted(() => log.acks, wanted, { failed, patience });
};

const oneVisit = async (load: VisitLoad): Promise<void> => {
  const { clientAt, website, log, nextVisitor } = load;
  const number = nextVisitor();
  const visitor = visitorAt(number, website);
  const { decision, offers, answer } = await visitPage(clientAt(number), website, visitor);
  const { requestId } = decision;
  const keyOf = (offerId: string, what: string): string => `${requestOf(requestId)} ${offerId} ${what}`;
  const keep = (offerId: string, what: string): void => {
    log.kept.add(keyOf(offerId, what));
    log.acks += 1;
  };
  for (const { id } of offers) keep(id, "served");
  const offer = offers[number % offers.length];
  if (offer === undefined) throw new Error(`no offers were handed out: ${answer.emptyReason}`);
  await pause(readingMs);
  const steps = [
    { what: "impression", good: 204, send: report("impression", visitor, { requestId, offer }) },
    { what: "beacon", good: 204, send: report("click", visitor, { requestId, offer }) },
    { what: "hop", good: 302, send: (client: HttpClient) => followLink(client, visitor, offer.url) },
  ];
  // Every twentieth visitor sends everything twice, as a client does that never saw the answer.
  for (let copy = 0; copy < (number % 20 === 0 ? 2 : 1); copy += 1) {
    for (const [at, { what, good, send }] of steps.entries()) {
      const { status, ms } = await sendStep(load, number + copy + at, send);
      const isPassedOn = ms >= hopPatienceMs || load.isRefusing();
      if (what === "hop" && isPassedOn) log.passedOn.add(keyOf(offer.id, what));
      else if (status === good) keep(offer.id, what);
      else if (status !== 503) log.wrong.push(`${what} ${status}`);
    }
  }
};

const report =
  (type: "impression" | "click", visitor: Visitor, event: Parameters<typeof reportEvent>[3]) =>
  (client: HttpClient): Promise<Answer> =>
    reportEvent(client, type, visitor, event);

/** Who insists asks another node, and then all of them again, until one has taken it. */
const sendStep = async (
  { clientAt, insists, log }: VisitLoad,
  number: number,
  send: (client: HttpClient) => Promise<Answer>,
): Promise<{ status: number; ms: number }> => {
  const deadline = performance.now() + insistsMs;
  for (let attempt = 0; ; attempt += 1) {
    const from = performance.now();
    const answer = await send(clientAt(number + attempt)).catch((error: unknown) => {
      if (!insists || !brokeOff(error)) throw error;
      return null;
    });
    if (answer !== null && (answer.status !== 503 || !insists))
      return { status: answer.status, ms: performance.now() - from };
    if (performance.now() > deadline) {
      log.wrong.push(`not taken in ${insistsMs} ms`);
      return { status: 503, ms: performance.now() - from };
    }
    await pause(20);
  }
};

/** The connection ended without an answer, or a page was told to come again: nothing was acknowledged, nothing is owed. */
const brokeOff = (error: unknown): boolean =>
  error instanceof Error &&
  ("code" in error
    ? ["ECONNRESET", "ECONNREFUSED", "EPIPE"].includes(String(error.code))
    : error.message.startsWith("expected 200, got 503"));
