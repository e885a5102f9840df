import { publisherId } from "@offers/contract/ids";
import { reportQuery } from "@offers/contract/reports";
import type { Context } from "../../context.ts";
import { byteOrderMark } from "../../core/csv-cell.ts";
import type { Answer } from "../../http/call.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { parameterProblem, unknownSubject } from "../../http/problem.ts";
import { fromQuery } from "../../http/read.ts";
import { formatOf, report, reportLists } from "../reports.ts";

const asked = reportQuery.extend({
  /** Whose websites it is about; needed by whoever works for several publishers. */
  publisher: publisherId.optional(),
});

/**
 * GET /dash/api/report: what /v1/reports/aggregate answers a key of the same publisher, to the byte; CSV, which is saved as a file
 * here, is marked for spreadsheets before that.
 */
export function reportRoute(context: Context): DashRoute {
  return dashRoute(context, "GET /dash/api/report", {
    asks: fromQuery(asked, { repeatable: reportLists, refusesOthers: true }),
    reply: async ({ asked: { publisher, ...query }, by, actor, call }) => {
      const own = by.memberships.map(({ publisherId: id }) => id);
      const isOthers = publisher !== undefined && !own.includes(publisher);
      if (isOthers) {
        const isThere =
          by.isOperator && (await context.desk.ask("findPublisher", { publisherId: publisher })) !== null;
        if (!isThere) throw unknownSubject();
        await context.desk.ask("noteLook", { publisherId: publisher }, actor);
      }
      const chosen = publisher ?? (own.length === 1 ? own[0] : undefined);
      if (chosen === undefined) {
        throw parameterProblem("missing_parameter", {
          parameter: "publisher",
          message: "is required: you work for several publishers, or for none",
        });
      }
      const format = formatOf(query, call);
      const answer = await report(context, query, { publisherId: chosen, websiteId: null }, format);
      return format === "csv" ? marked(answer) : answer;
    },
  });
}

const marked = (answer: Answer): Answer => ({
  ...answer,
  body: Buffer.concat([Buffer.from(byteOrderMark), Buffer.from(answer.body ?? "")]),
});
