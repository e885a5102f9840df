import { setTimeout as pause } from "node:timers/promises";
import type { MadeWebsite } from "../catalogue.ts";
import { openHttpClient } from "../http-client.ts";
import type { Service } from "../service.ts";
import { followLink, readingMs, reportEvent, requestOf, visitorAt, visitPage } from "../visitor.ts";

/** Impressions that a node said were recorded. */
export type Acknowledged = { request: string; at: number; node: number };

export type VisitsUnderWay = {
  acknowledged: readonly Acknowledged[];
  /** Answers that nothing explains, each behind the number of its node: `node 2: impression 500`. */
  wrong: readonly string[];
  stop(): Promise<void>;
};

/**
 * So many visitors of each node, one page after the other: each tells of an impression, and with `clicks` follows the link
 * when it has read the offer. What breaks off, or is refused with 503, is left.
 */
export function visitOnAndOn(
  nodes: readonly Pick<Service, "url">[],
  website: MadeWebsite,
  { visitors, clicks, firstNumber = 0 }: { visitors: number; clicks: boolean; firstNumber?: number },
): VisitsUnderWay {
  const acknowledged: Acknowledged[] = [];
  const wrong: string[] = [];
  let isStopped = false;
  let number = firstNumber;
  const visit = async (client: ReturnType<typeof openHttpClient>, node: number): Promise<void> => {
    const visitor = visitorAt(number++, website);
    const { decision, offers } = await visitPage(client, website, visitor);
    const [offer] = offers;
    if (offer === undefined) throw new Error("no offers were handed out");
    const { requestId } = decision;
    const { status } = await reportEvent(client, "impression", visitor, { requestId, offer });
    if (status === 204) acknowledged.push({ request: requestOf(requestId), at: performance.now(), node });
    else if (status !== 503) wrong.push(`node ${node}: impression ${status}`);
    if (!clicks) return;
    await pause(readingMs);
    const { status: arrived } = await followLink(client, visitor, offer.url);
    if (arrived !== 302) wrong.push(`node ${node}: hop ${arrived}`);
  };
  const working = nodes.flatMap(({ url }, node) => {
    const client = openHttpClient(url, visitors);
    const all = Array.from({ length: visitors }, async () => {
      while (!isStopped) {
        await visit(client, node).catch(async (error: unknown) => {
          if (!brokeOff(error)) wrong.push(`node ${node}: ${String(error)}`);
          await pause(20);
        });
      }
    });
    return Promise.all(all).then(() => client.close());
  });
  return {
    acknowledged,
    wrong,
    stop: async () => {
      isStopped = true;
      await Promise.all(working);
    },
  };
}

/** Without an answer, or told to come again: nothing was acknowledged, nothing is owed. */
const brokeOff = (error: unknown): boolean =>
  error instanceof Error && ("code" in error || error.message.startsWith("expected 200, got 503"));
