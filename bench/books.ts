import type { ReportAnswer } from "@offers/contract/reports";
import { unpackLines } from "../server/core/detail-lines.ts";
import { type CountedFact, eventIdOf, type FactKey, factTypes } from "../server/core/fact.ts";
import { type FigureColumn, figureColumns } from "../server/core/figures.ts";
import { placementOf, unpackOffers } from "../server/core/handed-offers.ts";
import { rowOf, rowsOf } from "./book-rows.ts";
import { CommandFailed } from "./operator.ts";
import type { Service } from "./service.ts";

/** What the database itself says, read beside the service and never through it. */
export type Books = {
  billedClicks: number;
  billedMicros: number;
  /** Sum of the ledger's click lines, as a positive amount. */
  ledgerMicros: number;
  ledgerLines: number;
  /** What the counters say was billed. */
  countedClicks: number;
  countedMicros: number;
  spendOf: (subject: string) => { micros: number; clicks: number };
  clickReasons: Record<string, number>;
  /** Refused events that are counted and have no row. */
  unkeptEvents: number;
};

export async function readBooks(service: Service): Promise<Books> {
  const billed = await rowOf<{ clicks: number; micros: number }>(
    service,
    `select count(*) as clicks, coalesce(sum(billed_micros), 0) as micros
     from fact where type = ${factTypes.click} and billed_micros is not null`,
  );
  const ledger = await rowOf<{ lines: number; micros: number }>(
    service,
    "select count(*) as lines, coalesce(-sum(micros), 0) as micros from ledger_line where kind = 'click'",
  );
  const counted = await readCounted(service);
  const reasons = await rowsOf<{ reason: string; times: number }>(
    service,
    `select coalesce(reason, 'counted') as reason, count(*) as times
     from fact where type = ${factTypes.click} group by 1`,
  );
  const spends = await rowsOf<{ subject: string; micros: number; clicks: number }>(
    service,
    "select subject, spent_micros as micros, billed_clicks as clicks from spend where day = 0",
  );
  const unkept = await rowOf<{ events: number }>(
    service,
    "select coalesce(sum(events), 0) as events from unkept_event",
  );
  const spendOf = new Map(spends.map((spend) => [spend.subject, spend]));
  return {
    billedClicks: billed.clicks,
    billedMicros: billed.micros,
    ledgerMicros: ledger.micros,
    ledgerLines: ledger.lines,
    countedClicks: counted.billable_clicks,
    countedMicros: counted.spend_micros,
    spendOf: (subject) => spendOf.get(subject) ?? { micros: 0, clicks: 0 },
    clickReasons: Object.fromEntries(reasons.map(({ reason, times }) => [reason, times])),
    unkeptEvents: unkept.events,
  };
}

/**
 * What counts of each request, one text a half: `request offer served`, `… impression`, and a click's `… beacon` and
 * `… hop`. `doubled`: how many stand there twice, or count again though they were only sent again.
 */
export async function readStoredHalves(service: Service): Promise<{ once: Set<string>; doubled: number }> {
  const once = new Set<string>();
  let doubled = 0;
  const add = (half: string): void => {
    if (once.has(half)) doubled += 1;
    once.add(half);
  };
  const offers = await rowsOf<{ number: number; id: string }>(service, "select number, id from offer");
  const idOf = new Map(offers.map(({ number, id }) => [number, id]));
  for (const fact of await readFacts(service)) {
    const { request, offer, type, seq, reason, beaconAfter, hopAfter } = fact;
    for (const { offer: handed, role } of fact.offers ?? []) {
      if (type !== factTypes.blocked && role !== "repeated") add(`${request} ${idOf.get(handed)} served`);
    }
    if (seq > 0) {
      // What was sent again is kept for its reason; without one it counts beside the first.
      if (reason === null && (type === factTypes.impression || type === factTypes.click)) doubled += 1;
      continue;
    }
    if (type === factTypes.impression) add(`${request} ${idOf.get(offer)} impression`);
    if (type === factTypes.click && beaconAfter !== null) add(`${request} ${idOf.get(offer)} beacon`);
    if (type === factTypes.click && hopAfter !== null) add(`${request} ${idOf.get(offer)} hop`);
  }
  return { once, doubled };
}

export function countBlocked(service: Service): Promise<number> {
  return countOf(service, `fact where type = ${factTypes.blocked}`);
}

/** What was ever billed to an offer or an advertiser, in micro-units. */
export async function readSpentOn(service: Service, subject: string): Promise<number> {
  const { micros } = await rowOf<{ micros: number }>(
    service,
    `select coalesce(sum(spent_micros), 0) as micros from spend where subject = '${subject}' and day = 0`,
  );
  return micros;
}

/** How many rows there are of click events, each with its fact, and of those that are only counted. */
export async function countClickRows(service: Service): Promise<{ facts: number; unkept: number }> {
  return {
    facts: await countOf(service, `fact where type = ${factTypes.click}`),
    unkept: await countOf(service, "unkept_event"),
  };
}

/** The ids of all events, as the service's answers name them. */
export async function readEventIds(service: Service): Promise<string[]> {
  return (await readFacts(service)).map(eventIdOf);
}

type EventFigures = Record<keyof ReportAnswer["totals"], number>;

const noFigures: EventFigures = {
  ...{ blocked: 0, served: 0, drawn: 0, impressions: 0, clicks: 0, filtered: 0 },
  ...{ billableClicks: 0, spend: 0, earnings: 0 },
};
export const eventFigures = [
  ...(["blocked", "served", "drawn", "impressions", "clicks", "filtered"] as const),
  ...(["billableClicks", "spend", "earnings"] as const),
];

/** A row of a report with every dimension. */
export type EventSum = Record<"date" | "websiteKey" | "country" | "vertical", string> & EventFigures;

/** What the events alone add up to, as a report must have it; how many there are, and of how many kinds. */
export async function readEventSums(
  service: Service,
): Promise<{ events: number; kinds: number; cells: EventSum[] }> {
  const cells = await readCells(service);
  const sums = new Map<string, EventSum>();
  const kinds = new Set<string>();
  let events = 0;
  for (const fact of await readFacts(service)) {
    kinds.add(`${fact.type} ${fact.reason}`);
    for (const { cell: number, adds } of eventsOf(fact)) {
      events += 1;
      const cell = cells.get(number);
      if (cell === undefined || cell.test === 1) continue;
      const { websiteKey, country, vertical } = cell;
      const date = new Date(fact.at).toISOString().slice(0, 10);
      const key = [date, websiteKey, country, vertical].join(" ");
      const sum = sums.get(key) ?? { date, websiteKey, country, vertical, ...noFigures };
      for (const name of eventFigures) sum[name] += adds[name] ?? 0;
      sums.set(key, sum);
    }
  }
  return { events, kinds: kinds.size, cells: [...sums.values()] };
}

/**
 * How many events are in the books, as the counters have it: at once, where reading all of them holds this thread up for so
 * long that idle connections are closed.
 */
export async function countEvents(service: Service): Promise<number> {
  const { blocked, served, impressions, clicks, drawn, filtered } = await readCounted(service);
  return blocked + served + impressions + clicks + drawn + filtered;
}

/** What the counters say altogether, with what waits for them: in a file all lines that wait. In one statement, and so of one moment. */
const readCounted = async (service: Service): Promise<Record<FigureColumn, number>> => {
  const settled = figureColumns.map((column) => `coalesce(sum(${column}), 0) as ${column}`);
  const lines = service.databaseUrl === null ? "(select group_concat(hex(lines)) from detail_delta)" : "null";
  const { waiting, ...sums } = await rowOf<Record<FigureColumn, number> & { waiting: string | null }>(
    service,
    `select ${settled.join(", ")}, ${lines} as waiting from counter_day`,
  );
  for (const packed of waiting?.split(",") ?? []) {
    for (const { figures } of unpackLines(Buffer.from(packed, "hex"))) {
      for (const [index, column] of figureColumns.entries()) sums[column] += Number(figures[index] ?? 0);
    }
  }
  return sums;
};

type StoredEvent = { cell: number; adds: Partial<EventFigures> };

/**
 * The events that a fact stands for, and what each adds to a report. The rule is written out once more: by the program's own the
 * counters are made, and whatever is wrong with it would be wrong with both.
 */
const eventsOf = (fact: StoredFact): StoredEvent[] => {
  const { type, cell, seq, reason } = fact;
  const offers = fact.offers ?? [];
  const spend = fact.billedMicros ?? 0;
  const earnings = fact.earnedMicros ?? 0;
  // A repetition of the same request, offer and type has a number above 0.
  const counts = reason === null && seq === 0;
  switch (type) {
    case factTypes.blocked:
      return [{ cell, adds: counts ? { blocked: 1 } : { filtered: 1 } }];
    case factTypes.impression:
      return [{ cell, adds: { ...(counts ? { impressions: 1 } : { filtered: 1 }), spend, earnings } }];
    case factTypes.click: {
      const billed = { billableClicks: fact.billedMicros === null ? 0 : 1, spend, earnings };
      return [{ cell, adds: { ...(counts ? { clicks: 1 } : { filtered: 1 }), ...billed } }];
    }
    // Answers and marks are numbered as they come.
    case factTypes.served:
    case factTypes.repeatedAnswer:
      return offers.map((handed) => ({
        cell: handed.cell,
        adds: reason === null && handed.role !== "repeated" ? { served: 1 } : { filtered: 1 },
      }));
    case factTypes.drawn:
      return offers.map((handed) => ({
        cell: handed.cell,
        adds: reason === null ? { drawn: 1 } : { filtered: 1 },
      }));
    case factTypes.noted:
      return [];
  }
};

type StoredFact = FactKey &
  Omit<CountedFact, "hopAt"> & { beaconAfter: number | null; hopAfter: number | null };
type StoredRow = Omit<StoredFact, "request" | "offers" | "placement"> & {
  request: Uint8Array;
  offers: Uint8Array | null;
  placement: number | null;
};

const readFacts = async (service: Service): Promise<StoredFact[]> => {
  const rows = await rowsOf<StoredRow>(
    service,
    `select request, offer, type, seq, cell, at, reason, placement, billed_micros as "billedMicros",
       earned_micros as "earnedMicros", beacon_after as "beaconAfter", hop_after as "hopAfter", offers from fact`,
  );
  return rows.map((row) => ({
    ...row,
    placement: placementOf(row.placement ?? 0),
    request: Buffer.from(row.request).toString("base64url"),
    offers: row.offers === null ? null : unpackOffers(row.offers),
  }));
};

type StoredCell = { id: number; websiteKey: string; country: string; vertical: string; test: 0 | 1 };

const readCells = async (service: Service): Promise<Map<number, StoredCell>> => {
  const rows = await rowsOf<StoredCell>(
    service,
    `select cell.id, website.key as "websiteKey", country, cell.vertical as vertical, test
     from cell join website on website.id = cell.website_id`,
  );
  return new Map(rows.map((cell) => [cell.id, cell]));
};

const countOf = async (service: Service, from: string): Promise<number> =>
  (await rowOf<{ rows: number }>(service, `select count(*) as rows from ${from}`)).rows;

/** Runs `audit` or `recount`; the empty text when everything adds up, else what differs. */
export async function runCheckCommand(service: Service, command: "audit" | "recount"): Promise<string> {
  try {
    await service.admin(command);
    return "";
  } catch (error) {
    if (error instanceof CommandFailed) return error.message;
    throw error;
  }
}
