import type { DecisionAnswer } from "@offers/contract/decision";
import type { MadeWebsite } from "../catalogue.ts";
import { openHttpClient } from "../http-client.ts";
import type { Service } from "../service.ts";
import { decisionPath, requestOf, visitorAt } from "../visitor.ts";

/** `status` 0: the connection broke, and `broken` says by what. */
export type Answered = {
  dueAt: number;
  tookMs: number;
  status: number;
  request: string;
  broken?: string;
};

export type SteadyLoad = {
  answers: readonly Answered[];
  /** Resolves when everything that was asked has been answered. */
  stop(): Promise<void>;
};

const turnMs = 5;

/**
 * Asks the nodes in turn for decisions about blocked visitors, so many a second, whatever they answer. Times count from the
 * moment at which a call was due (`performance.now()`), so that a node which stops answering cannot hide it.
 */
export function decideSteadily(
  nodes: readonly Pick<Service, "url">[],
  website: MadeWebsite,
  rate: number,
): SteadyLoad {
  const clients = nodes.map(({ url }) => openHttpClient(url, 512));
  const answers: Answered[] = [];
  const underway = new Set<Promise<void>>();
  const path = decisionPath(website);
  const startedAt = performance.now();
  let asked = 0;
  const ask = async (number: number): Promise<void> => {
    const dueAt = startedAt + (number * 1000) / rate;
    const headers = visitorAt(number, website).headers;
    const answer = await (clients[number % clients.length] as (typeof clients)[number])
      .get(path, headers)
      .catch((error: unknown) => ({ status: 0, body: "", broken: String(error) }));
    const { status, body } = answer;
    const request = status === 200 ? requestOf((JSON.parse(body) as DecisionAnswer).requestId) : "";
    const tookMs = performance.now() - dueAt;
    answers.push({ dueAt, tookMs, status, request, ...("broken" in answer && { broken: answer.broken }) });
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * rate) / 1000;
    for (; asked < due; asked += 1) {
      const asking: Promise<void> = ask(asked).finally(() => underway.delete(asking));
      underway.add(asking);
    }
  }, turnMs);
  return {
    answers,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underway);
      for (const client of clients) client.close();
    },
  };
}
