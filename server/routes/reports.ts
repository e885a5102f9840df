import { reportDimensions, reportQuery } from "@offers/contract/reports";
import type { RequestHandler } from "express";
import type { Context } from "../context.ts";
import { reportRange } from "../core/report-range.ts";
import { utcDay } from "../core/utc-day.ts";
import { allowMethods } from "../http/allowed-methods.ts";
import { callerOf, requireApiKey } from "../http/api-key.ts";
import { checkCountry } from "../http/country.ts";
import { overloaded, unavailable } from "../http/known-problem.ts";
import { ownWebsites } from "../http/own-website.ts";
import { Problem } from "../http/problem.ts";
import { readQuery } from "../http/read.ts";
import type { RouteHandlers } from "../http/route-handlers.ts";
import { JournalUnavailable } from "../store/journal/journal.ts";

/** GET /v1/reports/aggregate: the counters of a publisher's websites by day and place. */
export function reportsRoute(context: Context): RouteHandlers {
  return [allowMethods("GET"), requireApiKey(context, "reports:read"), report(context)];
}

const report =
  (context: Context): RequestHandler =>
  async (req, res) => {
    const query = readQuery(reportQuery, req, ["eventType"]);
    checkCountry(context, "country", query.country);
    const range = reportRange(query, utcDay(context.clock()));
    if (!range.ok) {
      const { parameter, message } = range;
      throw new Problem("invalid_parameter", `${parameter} ${message}.`, {
        errors: [{ parameter, message }],
      });
    }
    const { from, to } = range;
    const websites = ownWebsites(context, callerOf(res), { parameter: "websiteKey", key: query.websiteKey });
    const format = query.format ?? (req.accepts(["json", "csv"]) === "csv" ? "csv" : "json");
    const asked = context.store.report(
      {
        websites: websites.map(({ id, key }) => ({ id, key })),
        from,
        to,
        country: query.country,
        vertical: query.vertical,
        surface: query.surface,
        test: query.traffic === "test",
        eventTypes: query.eventType ?? [],
        groupBy: query.groupBy ?? reportDimensions,
      },
      format,
    );
    const text = await asked.catch((error: unknown) => {
      throw error instanceof JournalUnavailable
        ? unavailable("The report cannot be read now. Try again.")
        : error;
    });
    if (text === null) throw overloaded();
    if (format === "csv") {
      res.setHeader("Content-Type", "text/csv; charset=utf-8; header=present");
      res.setHeader("Content-Disposition", `attachment; filename="report_${from}_${to}.csv"`);
    } else {
      res.setHeader("Content-Type", "application/json; charset=utf-8");
    }
    res.setHeader("Content-Length", text.byteLength);
    res.end(text);
  };
