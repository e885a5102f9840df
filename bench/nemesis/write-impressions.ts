import { setTimeout as pause } from "node:timers/promises";
import type { MadeWebsite } from "../catalogue.ts";
import { openHttpClient } from "../http-client.ts";
import type { Service } from "../service.ts";
import { reportEvent, visitorAt, visitPage } from "../visitor.ts";

/** Writers who send one impression each again and again, as long as they are told. */
export type Writes = {
  seen: { taken: number; refused: number; withoutRetryAfter: number; wrong: string[] };
  /** Resolves when a write is not taken, however that is said. Rejects when all are, for 20 s. */
  untilRefused: () => Promise<void>;
  /** Resolves with the milliseconds from now until a write is taken. */
  untilTaken: () => Promise<number>;
  stop: () => Promise<void>;
};

const mostMs = 20_000;

/** Each writer has its offers before it begins: what it sends needs nothing but the disk. */
export async function writeImpressions(
  service: Service,
  website: MadeWebsite,
  { writers, firstVisitor }: { writers: number; firstVisitor: number },
): Promise<Writes> {
  const client = openHttpClient(service.url, writers);
  const seen: Writes["seen"] = { taken: 0, refused: 0, withoutRetryAfter: 0, wrong: [] };
  let going = true;
  const write = async (number: number): Promise<void> => {
    const visitor = visitorAt(firstVisitor + number, website);
    const { decision, offers } = await visitPage(client, website, visitor);
    const [offer] = offers;
    if (offer === undefined) throw new Error("no offers were handed out");
    while (going) {
      const { status, headers } = await reportEvent(client, "impression", visitor, { ...decision, offer });
      if (status === 204) seen.taken += 1;
      else if (status === 503) seen.refused += 1;
      else seen.wrong.push(String(status));
      if (status === 503 && !/^[1-9]\d*$/.test(headers["retry-after"] ?? "")) seen.withoutRetryAfter += 1;
      await pause(20);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, number) => write(number)));
  writing.catch(() => undefined);
  /** A writer that fails is the outcome of whoever waits. */
  const until = async (isSo: () => boolean, what: string): Promise<number> => {
    const from = performance.now();
    while (!isSo()) {
      await Promise.race([writing, pause(5)]);
      if (performance.now() - from > mostMs) throw new Error(`${what} within ${mostMs} ms`);
    }
    return performance.now() - from;
  };
  return {
    seen,
    untilRefused: async () => {
      const notTaken = (): number => seen.refused + seen.wrong.length;
      const before = notTaken();
      await until(() => notTaken() > before, "no write was refused");
    },
    untilTaken: () => {
      const before = seen.taken;
      return until(() => seen.taken > before, "no write was taken");
    },
    stop: async () => {
      going = false;
      await writing;
      client.close();
    },
  };
}
