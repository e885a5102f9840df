import { fillCounters, fillWaiting } from "../fill.ts";
import { openHttpClient } from "../http-client.ts";
import { percentile } from "../load/recording.ts";
import { scaled } from "./growth.ts";
import type { Figures, RoundOptions } from "./measure.ts";
import { startWorld } from "./world.ts";

/** A million counters: 209 websites, thirty days, twenty countries, eight verticals. */
const websites = 209;
const plan = { days: 30, verticals: 8 };
/** As many before them are not counted: a thread that has just begun compiles what it does. */
const turns = 31;

/** What a publisher's dashboard asks for, over HTTP, whole answers of the service alone. */
export async function reportsRound(options: RoundOptions): Promise<Figures> {
  const running = await startWorld({ websites: scaled(websites, options), offers: 1 });
  const { service, world, key } = running;
  const client = openHttpClient(service.url, 1);
  try {
    await service.kill();
    const countries = world.places.map(({ country }) => country);
    const counters = fillCounters(await service.databaseFile(), { ...plan, countries });
    const waiting = fillWaiting(await service.databaseFile(), { ...plan, countries });
    await service.start();
    const ask = async (query: (turn: number) => string): Promise<{ ms: number; bytes: number }> => {
      const times: number[] = [];
      let bytes = 0;
      for (let turn = -turns; turn < turns; turn += 1) {
        const from = performance.now();
        const { status, body } = await client.get(`/v1/reports/aggregate?${query(Math.abs(turn))}`, key);
        if (turn >= 0) times.push(performance.now() - from);
        if (status !== 200) throw new Error(`a report was answered ${status}: ${body}`);
        bytes = body.length;
      }
      return { ms: percentile(times, 50), bytes };
    };
    const websiteAt = (turn: number) => world.websites[(turn * 7) % world.websites.length]?.websiteKey;
    const one = await ask((turn) => `websiteKey=${websiteAt(turn)}&groupBy=date,websiteKey,country,vertical`);
    const all = await ask(() => "groupBy=country,vertical");
    options.say(
      `${counters} counters, and ${waiting} lines that wait; one website, 30 days, full key ${one.ms.toFixed(1)} ms (${one.bytes} bytes); ` +
        `all websites by country and vertical ${all.ms.toFixed(1)} ms (${all.bytes} bytes)`,
    );
    return { "reports.counters": counters, "reports.oneWebsite": one.ms, "reports.allWebsites": all.ms };
  } finally {
    client.close();
    await running.stop();
  }
}
