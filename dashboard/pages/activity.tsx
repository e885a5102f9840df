import type { DashActivities, DashActivity } from "@offers/contract/dash/activity";
import { activityKept, activitySubjects, mostInActivityFile } from "@offers/contract/words";
import { actionWords, actorWords, memberText, subjectWords } from "../activity-words.ts";
import { useAddress } from "../address.ts";
import { csvLink } from "../api.ts";
import { formatCount, formatTime } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SmallSelect } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { usePublisher } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";

const kinds = ["user", "command_line", "partner"] as const;

/** Who changed what, and when. */
export function Activity() {
  const { query, having, go, to } = useAddress();
  const { publisherId, name } = usePublisher();
  const filter = { by: query.by, user: query.user, about: query.about };
  const path = `publishers/${publisherId}/activity`;
  const { value, error, isLoading, again } = useAnswer<DashActivities>(path, {
    ...filter,
    before: query.before,
  });
  // Of another choice it says nothing of this one.
  const isEmpty = value?.items.length === 0 && !isLoading;
  const isFiltered = Object.values(filter).some(Boolean);
  const oldest = value?.items.at(-1);
  const choose = (changed: Record<string, string>) => go(having({ ...changed, before: null }));
  return (
    <>
      <PageHeader
        title="Activity"
        says={`Who changed what of ${name}, for ${activityKept.months} months. A file has the newest ${formatCount(mostInActivityFile)} changes.`}
        actions={
          <>
            <SmallSelect
              label="By"
              value={query.by ?? ""}
              choices={[
                { value: "", says: "By anybody" },
                ...kinds.map((value) => ({ value, says: actorWords[value] })),
              ]}
              onValue={(by) => choose({ by, user: "" })}
            />
            <SmallSelect
              label="About"
              value={query.about ?? ""}
              choices={[
                { value: "", says: "About anything" },
                ...activitySubjects.map((value) => ({ value, says: subjectWords[value] })),
              ]}
              onValue={(about) => choose({ about })}
            />
            <a class="button" href={csvLink(path, filter)} download>
              <Icon name="download" />
              CSV
            </a>
          </>
        }
      />
      {error && <Failure error={error} again={again} />}
      {!value?.items.length && !isEmpty && !error && <Skeleton height={480} lines={9} />}
      {isEmpty && (
        <EmptyState
          icon="clock"
          title={isFiltered ? "Nothing fits" : "Nothing was changed yet"}
          action={
            isFiltered && (
              <a class="button" href={to("/activity")}>
                Show everything
              </a>
            )
          }
        >
          What your team, the operator's command line and connected partners change stands here, with what it
          was before.
        </EmptyState>
      )}
      {value && value.items.length > 0 && (
        <Card isFlush isBusy={isLoading}>
          <DataTable
            caption="Activity"
            columns={columns}
            rows={value.items}
            rowKey={({ id }) => String(id)}
          />
          {(value.hasMore || query.before) && (
            <footer>
              <nav class="row" aria-label="Pages of the activity">
                {query.before && (
                  <a class="button" href={having({ before: null })}>
                    Newest
                  </a>
                )}
                {value.hasMore && oldest && (
                  <a class="button" href={having({ before: oldest.id })} rel="next">
                    Older
                    <Icon name="right" />
                  </a>
                )}
              </nav>
            </footer>
          )}
        </Card>
      )}
    </>
  );
}

const columns: readonly Column<DashActivity>[] = [
  {
    key: "what",
    title: "What",
    cell: ({ action, subject }) => (
      <>
        <strong>{actionWords[action]}</strong> {subjectWords[subject.kind].toLowerCase()}
        <div class="quiet">{subject.name || subject.id}</div>
      </>
    ),
  },
  {
    key: "by",
    title: "By",
    cell: ({ actor }) => (
      <>
        {actor.name}
        {actor.kind !== "user" && <div class="quiet">{actorWords[actor.kind].toLowerCase()}</div>}
      </>
    ),
  },
  { key: "at", title: "When", cell: ({ at }) => formatTime(at) },
  { key: "changes", title: "Before → after", cell: ({ changes }) => <Changes changes={changes} /> },
];

/** More are told on a press: of what is new, everything is. */
const mostShown = 3;

function Changes({ changes }: Pick<DashActivity, "changes">) {
  const lines = changes.map(({ member, before, after }) => (
    <li key={member}>
      <span class="quiet">{memberText(member)}</span> {before !== null && <del>{before || "empty"}</del>}{" "}
      {after === null ? <span class="quiet">taken away</span> : <ins>{after || "empty"}</ins>}
    </li>
  ));
  if (lines.length <= mostShown) return <ul class="changes">{lines}</ul>;
  return (
    <details>
      <summary>{lines.length} settings</summary>
      <ul class="changes">{lines}</ul>
    </details>
  );
}
