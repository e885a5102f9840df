import { csvReportQuery, defaultGrouping, type ReportQuery, reportQuery } from "@offers/contract/reports";
import { reportRowsMost } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { ReportFilter, ReportFormat } from "../core/report-filter.ts";
import { reportRange } from "../core/report-range.ts";
import { hourMs, utcDay } from "../core/utc-day.ts";
import type { Answer, Call } from "../http/call.ts";
import { type ApiCaller, keyRoute } from "../http/key-route.ts";
import { preferredType } from "../http/preferred-type.ts";
import { overloaded, parameterProblem } from "../http/problem.ts";
import { fromQuery } from "../http/read.ts";
import { jsonType, replyJsonText } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { ownReportedWebsites } from "./own-website.ts";
import { checkPlace } from "./place.ts";

/** GET /v1/reports/aggregate: the counters of a publisher's websites by day and place. */
export function reportsRoute(context: Context): Route {
  return keyRoute(context, "/v1/reports/aggregate", {
    asks: fromQuery(reportQuery, { repeatable: reportLists, ...closed }),
    reply: ({ asked, caller, call }) => report(context, asked, caller, formatOf(asked, call)),
  });
}

/** GET /v1/reports/aggregate.csv: the same as CSV, whatever the caller accepts. */
export function csvReportRoute(context: Context): Route {
  return keyRoute(context, "/v1/reports/aggregate.csv", {
    asks: fromQuery(csvReportQuery, { repeatable: reportLists, ...closed }),
    reply: ({ asked, caller }) => report(context, asked, caller, "csv"),
  });
}

/** decisions.md#servers-queries-are-closed */
const closed = { refusesOthers: true, mayBeBlank: [] } as const;

/** The parameters of a report that may be given several times. */
export const reportLists = ["eventType", "groupBy"] as const;

const csvType = "text/csv; charset=utf-8; header=present";

/** What a report is asked for as: by its query, else by what the caller accepts. */
export function formatOf(asked: Pick<ReportQuery, "format">, call: Pick<Call, "headers">): ReportFormat {
  const preferred = preferredType(call.headers.accept, [jsonType, csvType]);
  return asked.format ?? (preferred === csvType ? "csv" : "json");
}

/** The report that a caller asked for of its own websites, whichever way it came. */
export async function report(
  context: Context,
  asked: ReportQuery,
  caller: ApiCaller,
  format: ReportFormat,
): Promise<Answer> {
  checkPlace(context, "", asked);
  // Whatever is left in the end narrows the report.
  const { format: _, from: first, to: last, timeZone: utcOffset = 0, ...shown } = asked;
  const { websiteKey, traffic, eventType = [], groupBy = defaultGrouping, ...narrowing } = shown;
  const { offer } = narrowing;
  if (offer !== undefined && context.store.catalogue().offer(offer) === undefined) {
    throw parameterProblem("not_found", { parameter: "offer", message: "must be the id of an offer" });
  }
  const range = reportRange({ from: first, to: last }, utcDay(context.clock() + utcOffset * hourMs));
  if (!range.ok) throw parameterProblem("invalid_parameter", range);
  const { from, to } = range;
  const websites = ownReportedWebsites(context, caller, { parameter: "websiteKey", key: websiteKey });
  const filter: ReportFilter = {
    websites: websites.map(({ id, key }) => ({ id, key })),
    ...{ from, to, utcOffset, groupBy },
    test: traffic === "test",
    eventTypes: eventType,
    mostRows: reportRowsMost,
    ...narrowing,
  };
  const text = await context.store.report(filter, format);
  if (text === null) throw overloaded();
  if (text === "too_many_rows") {
    const message = `must tell apart less, or the report be narrowed to fewer days, websites or places: it has more than ${reportRowsMost} rows`;
    throw parameterProblem("invalid_parameter", { parameter: "groupBy", message });
  }
  return format === "json" ? replyJsonText(text) : csvAnswer(text, fileName(filter));
}

/** Says what of a report is not that of live traffic in days of UTC, since no line of the file does: `…_test_utc-05.csv`. */
const fileName = ({ from, to, test, utcOffset = 0 }: ReportFilter): string => {
  const hours = String(Math.abs(utcOffset)).padStart(2, "0");
  const zone = utcOffset === 0 ? "" : `_utc${utcOffset < 0 ? "-" : "+"}${hours}`;
  return `report_${from}_${to}${test ? "_test" : ""}${zone}.csv`;
};

const csvAnswer = (body: Uint8Array, fileName: string): Answer => ({
  status: 200,
  headers: ["Content-Type", csvType, "Content-Disposition", `attachment; filename="${fileName}"`],
  body,
});
