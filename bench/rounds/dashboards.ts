import { setTimeout as pause } from "node:timers/promises";
import { fillCounters } from "../fill.ts";
import { type HttpClient, openHttpClient } from "../http-client.ts";
import { percentile } from "../load/recording.ts";
import type { Service } from "../service.ts";
import { type Beside, type Figures, measure, type RoundOptions, type Sample } from "./measure.ts";
import { startWorld } from "./world.ts";

const websites = 400;
const pairs = 20;
const dashboards = 50;
const reports = 20;
/** How long whoever has a report looks at it before asking for another. */
const reportEveryMs = 1_000;
/** As the pages poll: what they show every ten seconds, and one that waits for a tag every one and a half. */
const everyMs = 10_000;
const waitingEveryMs = 1_500;
const waitingDashboards = 5;

/** What fifty open dashboards and twenty reports cost visitors, and how fast an overview's own answers are. */
export async function dashboardsRound(options: RoundOptions): Promise<Figures> {
  const running = await startWorld({ websites, offers: 30 });
  const { service, world, load } = running;
  const client = openHttpClient(service.url, dashboards);
  try {
    await service.kill();
    const countries = world.places.slice(0, 3).map(({ country }) => country);
    const counters = fillCounters(await service.databaseFile(), { days: 365, countries, verticals: 2 });
    await service.start();
    const { publisherId } = await service.admin<{ publisherId: string }[]>("publisher", "list").then(firstOf);
    const cookie = await signIn(service, client, publisherId);
    const ask = askFor(client, cookie);
    const overview = await timeOverview(ask, publisherId);
    const websiteKey = world.websites[0]?.websiteKey ?? "";
    // Once around all of the dashboards.
    const amount = { ...options, seconds: everyMs / 1000 };
    const told: Told = { reports: 0, polls: 0, refused: 0 };
    await measure(service, load, "decision", amount);
    const ratios: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const both = { calm: 0, busy: 0 };
      // Which one comes first changes: a process that was just idle costs a little more.
      for (const kind of pair % 2 === 0 ? (["calm", "busy"] as const) : (["busy", "calm"] as const)) {
        const open = () => openDashboards(ask, { publisherId, websiteKey }, told);
        const beside = kind === "busy" ? { beside: open } : {};
        const sample = await measure(service, load, "decision", { ...amount, ...beside });
        both[kind] = visitorsCpu(sample);
      }
      ratios.push(both.busy / both.calm);
    }
    options.say(`the dashboards were told: ${JSON.stringify(told)}`);
    // Each dashboard and each report at least once in each pair.
    if (told.reports < reports * pairs) options.wrong.push(`${told.reports} reports alone were answered 200`);
    if (told.polls < dashboards * pairs) options.wrong.push(`${told.polls} polls alone were answered 200`);
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    const deviation = Math.sqrt(
      ratios.reduce((sum, ratio) => sum + (ratio - mean) ** 2, 0) / (ratios.length - 1),
    );
    const half = (1.96 * deviation) / Math.sqrt(ratios.length);
    options.say(
      `${counters} counters, ${websites} websites; a decision beside ${dashboards} dashboards and ${reports} reports ` +
        `costs ${mean.toFixed(3)} of one alone (95 %: ${(mean - half).toFixed(3)} to ${(mean + half).toFixed(3)}); ` +
        `answers of an overview, 365 days, together ${overview.toFixed(0)} ms`,
    );
    return { "dashboards.cpuRatioUpper": mean + half, "dashboards.overviewMs": overview };
  } finally {
    client.close();
    await running.stop();
  }
}

/** The threads that visitors wait for: the main one, and the one that writes what they did. */
const visitorsCpu = ({ main, writer }: Sample): number => main + writer;

/** Whether it was answered, and not told to come again. */
type Ask = (path: string) => Promise<boolean>;
type Told = { reports: number; polls: number; refused: number };

const askFor =
  (client: HttpClient, cookie: string): Ask =>
  async (path) => {
    // A connection that was idle between two polls may be one that the service closes as it is used again.
    const { status, body } = await client.get(`/dash/api${path}`, { cookie, connection: "close" });
    // A report that is one too many is told so: the dashboard gives way.
    if (status !== 200 && status !== 503) throw new Error(`${path} was answered ${status}: ${body}`);
    return status === 200;
  };

/** Twenty people who ask for a report after the other, and dashboards that ask at even distances. */
const openDashboards = (
  ask: Ask,
  { publisherId, websiteKey }: { publisherId: string; websiteKey: string },
  told: Told,
): Beside => {
  const own = `/publishers/${publisherId}`;
  let isOpen = true;
  // Whoever closes them does not wait for the next poll.
  const until = async (ms: number): Promise<void> => {
    for (let waited = 0; waited < ms && isOpen; waited += 100) await pause(Math.min(100, ms - waited));
  };
  const note = (isAnswered: boolean, what: "reports" | "polls"): void => {
    told[isAnswered ? what : "refused"] += 1;
  };
  const report = async (): Promise<void> => {
    while (isOpen) {
      note(await ask(`/report?publisher=${publisherId}&groupBy=date,country`), "reports");
      await until(reportEveryMs);
    }
  };
  const poll = async (at: number): Promise<void> => {
    const isWaiting = at < waitingDashboards;
    const every = isWaiting ? waitingEveryMs : everyMs;
    await until((every * at) / dashboards);
    while (isOpen) {
      const paths = isWaiting
        ? [`${own}/websites/${websiteKey}/health`]
        : [`${own}/websites`, `${own}/attention`];
      const answered = await Promise.all(paths.map(ask));
      note(!answered.includes(false), "polls");
      await until(every);
    }
  };
  const asked = [
    ...Array.from({ length: reports }, report),
    ...Array.from({ length: dashboards }, (_, at) => poll(at)),
  ];
  return {
    close: async () => {
      isOpen = false;
      await Promise.all(asked);
    },
  };
};

/** What an overview of a year asks for at once, its period before included; the median of nine. */
const timeOverview = async (ask: Ask, publisherId: string): Promise<number> => {
  const today = new Date();
  const day = (back: number) => new Date(today.getTime() - back * 86_400_000).toISOString().slice(0, 10);
  const query = (from: number, to: number, groupBy: string) =>
    `/report?publisher=${publisherId}&from=${day(from)}&to=${day(to)}&groupBy=${groupBy}`;
  const own = `/publishers/${publisherId}`;
  const paths = [
    query(364, 0, "date"),
    query(364, 0, "websiteKey"),
    query(364, 0, "country"),
    query(364, 0, "vertical"),
    query(729, 365, "date"),
    `${own}/websites`,
    `${own}/attention`,
  ];
  const times: number[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const from = performance.now();
    await Promise.all(paths.map(ask));
    if (turn > 0) times.push(performance.now() - from);
  }
  return percentile(times, 50);
};

const firstOf = <T>([first]: readonly T[]): T => {
  if (first === undefined) throw new Error("there is none");
  return first;
};

/** By the link of an operator, as anybody. Returns the cookie. */
const signIn = async (service: Service, client: HttpClient, publisherId: string): Promise<string> => {
  const words = ["--email", "ada@example.com", "--publisher", publisherId, "--role", "owner"];
  const { link } = await service.admin<{ link: string }>("user", "invite", ...words);
  const answer = await client.post(new URL(link).pathname, "password=a+sentence+of+the+bench", {
    "content-type": "application/x-www-form-urlencoded",
    "sec-fetch-site": "same-origin",
  });
  const [cookie] = answer.headers["set-cookie"] ?? [];
  if (answer.status !== 303 || cookie === undefined)
    throw new Error(`not signed in: ${answer.status} ${answer.body}`);
  return cookie.split(";")[0] ?? "";
};
