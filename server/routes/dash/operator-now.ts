import { type Now, type Quality, qualityQuery } from "@offers/contract/dash/operator";
import { z } from "zod";
import type { Context } from "../../context.ts";
import { dataAgeDays, oldDataWarning, oldListWarning } from "../../core/data-age.ts";
import { dayNumber, startOfDay } from "../../core/utc-day.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";

const nothing = z.object({});

/** How the service fares at this moment, and how good its traffic is. */
export function operatorNowRoutes(context: Context): DashRoute[] {
  const startedAt = context.clock();
  return [
    dashRoute(context, "GET /dash/api/operator/now", {
      asks: fromQuery(nothing),
      reply: async () => {
        const [{ runs, catalogue, schema, database }, vitals] = await Promise.all([
          context.desk.ask("readNow", null),
          context.store.vitals(),
        ]);
        const { callsPerSecond, busyShare } = context.load.pressure();
        const answer: Now = {
          at: context.clock(),
          startedAt,
          ...vitals,
          callsPerSecond,
          busyShare,
          runs,
          catalogue,
          versions: { program: context.programVersion, node: process.version, database, schema },
        };
        return replyJson(answer);
      },
    }),
    dashRoute(context, "GET /dash/api/operator/quality", {
      asks: fromQuery(qualityQuery),
      reply: async ({ asked: { days, traffic } }) => {
        const to = context.clock();
        const from = startOfDay(dayNumber(to) - (days - 1));
        const read = await context.desk.ask("readQuality", { from, to, isTest: traffic === "test" });
        const answer: Quality = { from, to, ...read, ...agesOf(context, to) };
        return replyJson(answer);
      },
    }),
  ];
}

/** How old the data is that tells where an address is, and who sits there. */
const agesOf = ({ geo, networks }: Context, now: number): Pick<Quality, "networks" | "geo"> => ({
  networks: networks.lists().map(({ kind, date }) => ({
    kind,
    date,
    ageDays: dataAgeDays(date, now),
    isOld: oldListWarning({ kind, date }, now) !== null,
  })),
  geo: geo.sources().map(({ name, date }, at) => ({
    name,
    date,
    ageDays: dataAgeDays(date, now),
    // The others answer only for what the first one does not know, and one of them is old for good.
    isOld: at === 0 && oldDataWarning({ name, date }, now) !== null,
  })),
});
