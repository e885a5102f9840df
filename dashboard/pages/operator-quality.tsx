import type { Quality } from "@offers/contract/dash/operator";
import { useAddress } from "../address.ts";
import { formatCount, formatShare, formatTableDay } from "../format.ts";
import { Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Badge } from "../parts/state.tsx";
import { Switch } from "../parts/tabs.tsx";
import { reasonText } from "../reason-words.ts";
import { useAnswer } from "../use-answer.ts";

/** What did not count, and why; and how old the data is by which that is told. */
export function OperatorQuality() {
  const { query, having } = useAddress();
  const days = query.days ?? "1";
  const traffic = query.traffic === "test" ? "test" : "live";
  const { value, error, isLoading, again } = useAnswer<Quality>("operator/quality", { days, traffic });
  return (
    <>
      <PageHeader
        title="Traffic quality"
        says="What was stored and did not count, in days of UTC. Nobody pays for it."
        actions={
          <>
            <Switch
              label="Days"
              tabs={[
                { key: "1", says: "Today", link: having({ days: null }), isChosen: days === "1" },
                { key: "2", says: "Since yesterday", link: having({ days: "2" }), isChosen: days === "2" },
                { key: "7", says: "7 days", link: having({ days: "7" }), isChosen: days === "7" },
              ]}
            />
            <Switch
              label="Traffic"
              tabs={[
                { key: "live", says: "Live", link: having({ traffic: null }), isChosen: traffic === "live" },
                {
                  key: "test",
                  says: "Test",
                  link: having({ traffic: "test" }),
                  isChosen: traffic === "test",
                },
              ]}
            />
          </>
        }
      />
      {error && <Failure error={error} again={again} />}
      {value && (
        <>
          <Refused quality={value} isBusy={isLoading} />
          <Ages quality={value} />
        </>
      )}
      {!value && !error && <Skeleton height={400} lines={8} />}
    </>
  );
}

/** As many websites as are told apart while none is chosen: a page with ten thousand of them stands still for half a minute. */
const mostWebsites = 50;

/** Reasons are looked for among the visits of these days and of the day before. */
function nothingRefused(days: Quality["counted"]): string {
  return days.every(({ filtered }) => filtered === 0)
    ? "Everything counted."
    : "What did not count was of older visits, and stands below by day alone.";
}

function Refused({
  quality: { refused, unkept, counted, websites },
  isBusy,
}: {
  quality: Quality;
  isBusy: boolean;
}) {
  const { query, having } = useAddress();
  const website = query.website;
  const isMeant = ({ websiteKey }: { websiteKey: string }) => !website || websiteKey === website;
  const names = new Map(websites.map(({ websiteKey, name }) => [websiteKey, name]));
  const nameOf = (key: string) => names.get(key) ?? (key || "No website");
  const sums = {
    refused: sumOf(refused.filter(isMeant)),
    unkept: sumOf(unkept.filter(isMeant)),
  };
  if (counted.length === 0 && refused.length === 0) {
    if (isBusy) return <Skeleton height={400} lines={8} />;
    return (
      <EmptyState icon="shield" title="Nothing came in these days">
        As soon as pages carry the tag, what does not count stands here with its reason. Choose more days, or
        look at Now.
      </EmptyState>
    );
  }
  const reasons = grouped(refused.filter(isMeant), ({ reason }) => reason);
  const sites = grouped(refused, ({ websiteKey }) => websiteKey);
  const rows = counted.filter(isMeant);
  const filteredOf = grouped(
    rows.map(({ websiteKey, filtered }) => ({ websiteKey, events: filtered })),
    ({ websiteKey }) => websiteKey,
  );
  const told = new Set(filteredOf.slice(0, mostWebsites).map(([key]) => key));
  return (
    <>
      <div class="columns">
        <Card
          title="By reason"
          says={website && nameOf(website)}
          isFlush={reasons.length > 0 || sums.unkept > 0}
          isBusy={isBusy}
        >
          {reasons.length > 0 ? (
            <Bars
              label="What did not count, by reason"
              heads={["Events", "Share"]}
              bars={reasons.map(([reason, events]) => ({
                key: reason,
                name: reasonText(reason),
                size: events,
                figures: [formatCount(events), formatShare(events, sums.refused, 0)],
              }))}
            />
          ) : (
            <p class={sums.unkept > 0 ? "body quiet" : "quiet"}>{nothingRefused(rows)}</p>
          )}
          {sums.unkept > 0 && (
            <footer class="quiet">
              And {formatCount(sums.unkept)} above a limit or repeated without end, of which only the number
              is kept.
            </footer>
          )}
        </Card>
        <Card
          title="By website"
          isFlush={sites.length > 0}
          isBusy={isBusy}
          action={
            website && (
              <a class="button" href={having({ website: null })}>
                All websites
              </a>
            )
          }
        >
          {sites.length === 0 ? (
            <p class="quiet">{nothingRefused(counted)}</p>
          ) : (
            <Bars
              label="What did not count, by website"
              heads={["Events"]}
              bars={sites.slice(0, mostWebsites).map(([key, events]) => ({
                key,
                name: nameOf(key),
                size: events,
                figures: [formatCount(events)],
                link: having({ website: key }),
              }))}
            />
          )}
          <OfAll websites={sites.length} />
        </Card>
      </div>
      <Card title="By day" isFlush isBusy={isBusy}>
        <DataTable
          caption="What counted and what did not, by day and website"
          rows={rows.filter(({ websiteKey }) => told.has(websiteKey)).toReversed()}
          rowKey={({ date, websiteKey }) => `${date} ${websiteKey}`}
          columns={[
            { key: "day", title: "Day", cell: ({ date }) => formatTableDay(date) },
            { key: "website", title: "Website", cell: ({ websiteKey }) => nameOf(websiteKey) },
            { key: "counted", title: "Counted", isFigure: true, cell: (row) => formatCount(row.counted) },
            {
              key: "filtered",
              title: "Did not count",
              isFigure: true,
              cell: (row) => formatCount(row.filtered),
            },
            {
              key: "share",
              title: "Share",
              isFigure: true,
              cell: (row) => formatShare(row.filtered, row.counted + row.filtered, 1),
            },
          ]}
        />
        <OfAll websites={filteredOf.length} />
      </Card>
    </>
  );
}

/** That not all of them are told, where that is so. */
function OfAll({ websites }: { websites: number }) {
  if (websites <= mostWebsites) return null;
  return (
    <footer class="quiet">
      The {mostWebsites} websites with the most events that did not count, of {formatCount(websites)}.
    </footer>
  );
}

const sumOf = (rows: readonly { events: number }[]): number =>
  rows.reduce((sum, { events }) => sum + events, 0);

const grouped = <Row extends { events: number }>(
  rows: readonly Row[],
  by: (row: Row) => string,
): [string, number][] =>
  [...Map.groupBy(rows, by)]
    .map(([key, some]): [string, number] => [key, sumOf(some)])
    .sort(([, one], [, other]) => other - one);

const listNames = {
  datacenter: "Networks of data centres",
  search_engine: "Networks of search engines",
} as const;

function Ages({ quality: { networks, geo } }: { quality: Quality }) {
  const rows = [
    ...networks.map(({ kind, ...age }) => ({
      name: listNames[kind],
      renew: "networks update",
      isSecond: false,
      ...age,
    })),
    ...geo.map(({ name, ...age }, at) => ({
      ...age,
      name: `Location data ${name}`,
      renew: "geo update",
      isSecond: at > 0,
    })),
  ];
  return (
    <Card title="By what it is told" isFlush>
      <DataTable
        caption="Lists and location data"
        rows={rows}
        rowKey={({ name }) => name}
        columns={[
          { key: "name", title: "Data", cell: ({ name }) => name },
          { key: "date", title: "Of", cell: ({ date }) => formatTableDay(date) },
          {
            key: "age",
            title: "Age",
            isFigure: true,
            cell: ({ ageDays }) => (ageDays === 1 ? "1 day" : `${formatCount(ageDays)} days`),
          },
          {
            key: "state",
            title: "State",
            cell: ({ isOld, isSecond, renew }) =>
              isSecond ? (
                <span class="quiet">asked where the first one knows nothing</span>
              ) : isOld ? (
                <>
                  <Badge tone="warn">Old</Badge> renew it by <code>admin -- {renew}</code>
                </>
              ) : (
                <Badge tone="good">Good</Badge>
              ),
          },
        ]}
      />
    </Card>
  );
}
