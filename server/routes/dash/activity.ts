import { activityQuery, type DashActivities, type DashActivity } from "@offers/contract/dash/activity";
import { mostInActivityFile } from "@offers/contract/words";
import type { Context } from "../../context.ts";
import { changedLine, changedTexts } from "../../core/changed-text.ts";
import { byteOrderMark, csvLine } from "../../core/csv-cell.ts";
import type { AnswerOf } from "../../desk/desk.ts";
import type { Answer } from "../../http/call.ts";
import { type DashRoute, dashRoute } from "../../http/dash-route.ts";
import { fromQuery } from "../../http/read.ts";
import { replyJson } from "../../http/reply.ts";

const pageSize = 50;

/** GET …/activity: who changed what of a publisher, the newest first, as a page or as a file. */
export function activityRoute(context: Context): DashRoute {
  return dashRoute(context, "GET /dash/api/publishers/:publisher/activity", {
    asks: fromQuery(activityQuery, { refusesOthers: true }),
    reply: async ({ asked: { format, before, by, user, about }, publisher: { publisherId } }) => {
      const isFile = format === "csv";
      const limit = isFile ? mostInActivityFile : pageSize + 1;
      const found = await context.desk.ask("listActivity", {
        publisherId,
        before,
        actorKind: by,
        actor: user === undefined ? undefined : { kind: "user", userId: user },
        subjectKind: about,
        limit,
      });
      const items = found.map(told);
      if (isFile) return fileOf(items);
      return replyJson({
        items: items.slice(0, pageSize),
        hasMore: items.length > pageSize,
      } satisfies DashActivities);
    },
  });
}

const told = ({
  id,
  at,
  actor,
  action,
  subject,
  before,
  after,
}: AnswerOf<"listActivity">[number]): DashActivity => ({
  id,
  at,
  actor: { kind: actor.kind, name: actor.name },
  action,
  subject,
  changes: changedTexts(before, after),
});

const columns = ["at", "by", "name", "action", "kind", "id", "subject", "changes"];

const fileOf = (items: readonly DashActivity[]): Answer => ({
  status: 200,
  headers: [
    "Content-Type",
    "text/csv; charset=utf-8",
    "Content-Disposition",
    'attachment; filename="activity.csv"',
  ],
  body: [
    byteOrderMark,
    csvLine(columns),
    ...items.map(({ at, actor, action, subject, changes }) =>
      csvLine([
        new Date(at).toISOString(),
        actor.kind,
        actor.name,
        action,
        subject.kind,
        subject.id,
        subject.name,
        changedLine(changes),
      ]),
    ),
  ].join(""),
});
