import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { readIntegrity } from "./book-file.ts";
import { readBooks, readStoredHalves, runCheckCommand } from "./books.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue } from "./catalogue.ts";
import { atLeast, atMost, type Check, equal, printChecks, readNumbers } from "./checks.ts";
import { type Engine, startNodes } from "./cluster/start-nodes.ts";
import { type Answer, type HttpClient, openHttpClient } from "./http-client.ts";
import type { Service, ServiceOptions } from "./service.ts";
import { followLink, reportEvent, requestOf, visitorAt, visitPage } from "./visitor.ts";

export type StoppingOptions = {
  clients: number;
  stops: number;
  loadMs: number;
  stopMs: number;
  /** Of a hundred answers how many may tell to come again. */
  mostTurnedAway: number;
  engine?: Engine;
};

/** What the clients saw of the stops. */
type Seen = {
  /** `request offer half` of every event that was acknowledged. */
  kept: Set<string>;
  /** Connections that ended without the answer to a request that was sent on them. */
  broken: string[];
  wrong: string[];
  answers: number;
  /** Those of them that told to come again. */
  turnedAway: number;
  /** How many of the last answers before a client found the door closed did not say that they were the last ones. */
  silentLastAnswers: number;
};

/**
 * Asks the service to stop while clients with kept-alive connections are at it, and one has sent half a request: whoever
 * sent a request that was taken gets its answer, and whatever was acknowledged is there afterwards.
 */
export async function stopping(options: StoppingOptions, started: ServiceOptions = {}): Promise<Check[]> {
  const environment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000", ...started.environment };
  const nodes = await startNodes({ ...started, engine: options.engine, environment });
  const service = nodes.first;
  const seen: Seen = {
    kept: new Set(),
    broken: [],
    wrong: [],
    answers: 0,
    turnedAway: 0,
    silentLastAnswers: 0,
  };
  const codes: (number | null)[] = [];
  let slowestMs = 0;
  try {
    const made = await makeCatalogue(service, {
      websites: [{ name: "Stopping", origins: ["https://stopping.example"], geo: everybodyBlocked }],
      offers: ["Anchor", "Buoy", "Compass"].map((brand) => ({
        brand,
        landingUrl: "https://landing.example/?click={click_id}",
      })),
    });
    const [website] = made.websites;
    if (website === undefined) throw new Error("the catalogue has no website");
    let visitors = 0;
    for (let stop = 1; stop <= options.stops; stop += 1) {
      if (stop > 1) await service.start();
      const clients = Array.from({ length: options.clients }, () =>
        visitUntilClosed({ service, website, seen, nextVisitor: () => visitors++ }),
      );
      await pause(options.loadMs);
      // Which is more than a machine that stands still meanwhile has got to.
      await untilAnswered(seen, stop * options.clients * 10);
      const half = await sendHalfARequest(service);
      const from = performance.now();
      codes.push(await service.terminate());
      slowestMs = Math.max(slowestMs, performance.now() - from);
      half.destroy();
      await Promise.all(clients);
    }
    await service.start();
    return [
      atLeast("requests answered", seen.answers, options.stops * options.clients * 10),
      atLeast("events acknowledged", seen.kept.size, options.stops * options.clients),
      atMost(
        "answers that told to come again, of a hundred",
        (100 * seen.turnedAway) / seen.answers,
        options.mostTurnedAway,
      ),
      equal("requests that a stop left without an answer", seen.broken.slice(0, 3).join("; "), ""),
      equal("last answers that did not say so", seen.silentLastAnswers, 0),
      equal("answers that no stop explains", seen.wrong.slice(0, 3).join("; "), ""),
      equal("exit codes", codes.join(), codes.map(() => 0).join()),
      atMost("slowest stop, in ms", Math.round(slowestMs), options.stopMs),
      ...(await checkBooks(service, seen)),
    ];
  } finally {
    await nodes.stop();
  }
}

const untilAnswered = async (seen: Seen, answers: number): Promise<void> => {
  const deadline = performance.now() + 30_000;
  while (seen.answers < answers && performance.now() < deadline) await pause(20);
};

type Load = { service: Service; website: MadeWebsite; seen: Seen; nextVisitor: () => number };

/** One client with one kept-alive connection, until nobody listens any more. */
const visitUntilClosed = async ({ service, website, seen, nextVisitor }: Load): Promise<void> => {
  const plain = openHttpClient(service.url, 1);
  let last: Answer | null = null;
  const noted = async (pending: Promise<Answer>): Promise<Answer> => {
    last = await pending;
    seen.answers += 1;
    return last;
  };
  const client: HttpClient = {
    get: (...call) => noted(plain.get(...call)),
    post: (...call) => noted(plain.post(...call)),
    close: plain.close,
  };
  const lastAnswer = (): Answer | null => last;
  try {
    for (;;) await visitOnce({ client, website, seen, number: nextVisitor(), lastAnswer });
  } catch (error) {
    if (!isRefused(error)) seen.broken.push(String(error));
    if (lastAnswer()?.headers.connection !== "close") seen.silentLastAnswers += 1;
  } finally {
    client.close();
  }
};

const isRefused = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ECONNREFUSED";

const visitOnce = async (load: {
  client: HttpClient;
  website: MadeWebsite;
  seen: Seen;
  number: number;
  lastAnswer: () => Answer | null;
}): Promise<void> => {
  const { client, website, seen, number, lastAnswer } = load;
  const visitor = visitorAt(number, website);
  const visited = await visitPage(client, website, visitor).catch((error: unknown) => {
    const last = lastAnswer();
    // Where this call had no answer at all, the last one is another's.
    const isLast = error instanceof Error && error.message.startsWith("expected 200, got 503");
    if (!isLast || last === null || !isTurnedAway(last)) throw error;
    seen.turnedAway += 1;
    return null;
  });
  if (visited === null) return;
  const { decision, offers } = visited;
  const { requestId } = decision;
  for (const offer of offers) {
    const impression = await reportEvent(client, "impression", visitor, { requestId, offer });
    if (impression.status === 204) seen.kept.add(`${requestOf(requestId)} ${offer.id} impression`);
    else noteOther("impression", impression, seen);
    const hop = await followLink(client, visitor, offer.url);
    if (hop.status === 302) seen.kept.add(`${requestOf(requestId)} ${offer.id} hop`);
    else noteOther("hop", hop, seen);
  }
};

const noteOther = (what: string, answer: Answer, seen: Seen): void => {
  if (isTurnedAway(answer)) seen.turnedAway += 1;
  else seen.wrong.push(`${what} ${answer.status}`);
};

/** Who has waited a second behind a batch is told to come again, be it by a stop or by a machine that stood still. */
const isTurnedAway = ({ status, headers }: Answer): boolean =>
  status === 503 && /^[1-9]\d*$/.test(headers["retry-after"] ?? "");

/** A client that has promised a body and sends no more of it. */
const sendHalfARequest = async (service: Service): Promise<{ destroy: () => void }> => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  // The stop cuts it.
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write("POST /v1/events/impression HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n");
  socket.write("Content-Length: 1000\r\n\r\n{");
  return socket;
};

const checkBooks = async (service: Service, seen: Seen): Promise<Check[]> => {
  const stored = await readStoredHalves(service);
  const books = await readBooks(service);
  return [
    equal(
      "acknowledged events that are lost",
      [...seen.kept].filter((key) => !stored.once.has(key)).length,
      0,
    ),
    equal("ledger lines beside billed clicks", books.ledgerLines - books.billedClicks, 0),
    ...(service.databaseUrl === null
      ? [equal("integrity of the database", readIntegrity(await service.databaseFile()), "ok")]
      : []),
    equal("recount", await runCheckCommand(service, "recount"), ""),
  ];
};

if (import.meta.main) {
  const options = readNumbers(
    { clients: 24, stops: 3, loadMs: 1000, stopMs: 6000, mostTurnedAway: 0 },
    process.argv.slice(2),
  );
  process.exitCode = printChecks("Stopping under load", await stopping(options));
}
