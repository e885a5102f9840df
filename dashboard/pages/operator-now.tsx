import type { Now } from "@offers/contract/dash/operator";
import { useState } from "preact/hooks";
import { commandRuns } from "../command-runs.ts";
import { formatAgo, formatCount, formatShare, formatTime } from "../format.ts";
import { Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { Figures } from "../parts/figures.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { reasonText } from "../reason-words.ts";
import { useAnswer } from "../use-answer.ts";

/** How often the page asks by itself, and while somebody follows it closely; never while it is hidden. */
const [usualSeconds, closeSeconds] = [10, 1.5];

/** How the service fares at this moment. */
export function OperatorNow() {
  const [isClose, setClose] = useState(false);
  const everySeconds = isClose ? closeSeconds : usualSeconds;
  const { value: now, error, again } = useAnswer<Now>("operator/now", {}, { everySeconds });
  return (
    <>
      <PageHeader
        title="Now"
        says={`The last minute of this process; asked for every ${everySeconds} seconds while you look.`}
        actions={
          <button type="button" class="button" aria-pressed={isClose} onClick={() => setClose(!isClose)}>
            <Icon name={isClose ? "pause" : "pulse"} />
            {isClose ? "Follow less closely" : "Follow closely"}
          </button>
        }
      />
      {error && <Failure error={error} again={again} />}
      {now && (
        <>
          {now.isRefusing && (
            <Notice tone="bad">
              The storage refuses to write. Look at the disk and at the service's log.
            </Notice>
          )}
          <Card isFlush>
            <Figures label="This moment" figures={figuresOf(now)} />
          </Card>
          <div class="columns">
            <Events now={now} />
            <Reasons now={now} />
          </div>
          <Runs now={now} />
          <Facts now={now} />
        </>
      )}
      {!now && !error && <Skeleton height={500} lines={10} />}
    </>
  );
}

const figuresOf = ({ events, commit, waiting, snapshotAgeMs, disk, callsPerSecond, busyShare }: Now) => {
  const all = events.reduce((sum, one) => sum + one.events, 0);
  const refused = events.reduce((sum, one) => sum + one.refused, 0);
  return [
    {
      name: "Events a minute",
      value: formatCount(all),
      says: `${formatCount(Math.round(callsPerSecond))} calls a second`,
    },
    { name: "Did not count", value: formatShare(refused, all, 1), says: `${formatCount(refused)} events` },
    {
      name: "A commit takes",
      value: commit ? `${commit.medianMs.toFixed(1)} ms` : "–",
      says: commit ? `at worst ${commit.worstMs.toFixed(0)} ms` : "none in the last minute",
    },
    {
      name: "Waiting",
      value: formatCount(waiting),
      says: `the process is busy ${formatShare(busyShare, 1, 0)} of its time`,
    },
    { name: "Catalogue read", value: secondsText(snapshotAgeMs), says: "ago" },
    {
      name: "Disk free",
      value: disk ? bytesText(disk.freeBytes) : "–",
      says: disk ? databaseText(disk.databaseBytes) : "the system does not say",
    },
  ];
};

/** Null: it is on a server, and the disk is the node's. */
const databaseText = (bytes: number | null): string =>
  bytes === null ? "on this node" : `database ${bytesText(bytes)}`;

const secondsText = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** As disks are sold: by thousands. */
const bytesText = (bytes: number): string => {
  const [size, unit] = (
    [
      [1e12, "TB"],
      [1e9, "GB"],
      [1e6, "MB"],
    ] as const
  ).find(([size]) => bytes >= size) ?? [1e3, "kB"];
  return `${(bytes / size).toFixed(bytes / size < 10 ? 1 : 0)} ${unit}`;
};

const typeNames: Record<string, string> = {
  blocked: "Blocked visits",
  served: "Answers with offers",
  drawn: "Offers drawn",
  impression: "Impressions",
  click: "Clicks",
  ping: "Pages that loaded the tag",
};

function Events({ now: { events } }: { now: Now }) {
  return (
    <Card title="Events of the last minute" isFlush>
      {events.length === 0 ? (
        <EmptyState icon="pulse" title="A quiet minute">
          No event came to this process. Open a page that carries the tag, and it shows here.
        </EmptyState>
      ) : (
        <Bars
          label="Events of the last minute, by type"
          heads={["Events", "Did not count"]}
          bars={events.map(({ type, events: count, refused }) => ({
            key: type,
            name: typeNames[type] ?? type,
            size: count,
            figures: [formatCount(count), formatCount(refused)],
          }))}
        />
      )}
    </Card>
  );
}

function Reasons({ now: { reasons } }: { now: Now }) {
  return (
    <Card title="Why some did not count" isFlush={reasons.length > 0}>
      {reasons.length === 0 ? (
        <p class="quiet">Nothing of the last minute was refused.</p>
      ) : (
        <Bars
          label="Events that did not count in the last minute, by reason"
          heads={["Events"]}
          bars={reasons
            .toSorted((one, other) => other.events - one.events)
            .map(({ reason, events }) => ({
              key: reason,
              name: reasonText(reason),
              size: events,
              figures: [formatCount(events)],
            }))}
        />
      )}
    </Card>
  );
}

function Runs({ now }: { now: Now }) {
  const { at } = now;
  const rows = commandRuns(now);
  const title = rows.some(({ kind }) => kind === "backup") ? "Backups and checks" : "Checks";
  return (
    <Card title={title} says="as the command line ran them last" isFlush>
      <DataTable
        caption={title}
        rows={rows}
        rowKey={({ kind }) => kind}
        columns={[
          { key: "what", title: "What", cell: ({ title }) => title },
          {
            key: "state",
            title: "State",
            cell: ({ run, oldDays }) => {
              if (!run) return <Badge tone="warn">Never run</Badge>;
              if (!run.isGood) return <Badge tone="bad">Look at this</Badge>;
              if (at - run.at > oldDays * 86_400_000) return <Badge tone="warn">Long ago</Badge>;
              return <Badge tone="good">Good</Badge>;
            },
          },
          {
            key: "when",
            title: "When",
            cell: ({ run }) => (run ? <span title={formatTime(run.at)}>{formatAgo(run.at, at)}</span> : "–"),
          },
          { key: "says", title: "How it ended", cell: ({ run, when }) => run?.says ?? <code>{when}</code> },
        ]}
      />
    </Card>
  );
}

function Facts({ now: { versions, catalogue, startedAt, at } }: { now: Now }) {
  const facts = [
    ["Program", versions.program],
    ["Node.js", versions.node],
    ["Database", `${versions.database}, layout ${versions.schema}`],
    ["Running since", `${formatTime(startedAt)} (${formatAgo(startedAt, at)})`],
    [
      "Catalogue",
      `${formatCount(catalogue.publishers)} publishers, ${formatCount(catalogue.websites)} websites, ${formatCount(catalogue.activeOffers)} of ${formatCount(catalogue.offers)} offers active; version ${catalogue.version}`,
    ],
  ] as const;
  return (
    <Card title="Versions" isFlush>
      <DataTable
        caption="Versions"
        rows={facts}
        rowKey={([name]) => name}
        columns={[
          { key: "name", title: "What", cell: ([name]) => name },
          { key: "value", title: "Is", cell: ([, value]) => value },
        ]}
      />
    </Card>
  );
}
