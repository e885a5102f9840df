import type { Attention, WebsiteRow } from "@offers/contract/dash/tag-health";
import { useAddress } from "../address.ts";
import type { Report, Row } from "../api.ts";
import { formatCount, formatPlace, formatShare } from "../format.ts";
import { addUp, addUpBy, figureName, figureText, type MoneyKind, type Sums } from "../overview-figures.ts";
import { type Bar, Bars } from "../parts/bars.tsx";
import { Card } from "../parts/card.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Spark } from "../parts/spark.tsx";
import { healthWords, StateMark } from "../parts/state.tsx";
import { dayOf, daysOf, wholeDays } from "../ranges.ts";
import { useSignedIn, useWebsiteNames } from "../signed-in.ts";
import type { Answer } from "../use-answer.ts";

/** Rows of a list before the rest stands on a page of its own. */
const most = 6;

type WebsiteParts = { answer: Answer<Report>; money: MoneyKind | null; hasSparks: boolean };

/** A row of the list: a website, or all that are deleted, without which the rows would not add up to the figures above. */
type Listed = { keys: readonly string[]; website: WebsiteRow | null; rows: readonly Row[] };

/** The websites with the most blocked visits. */
export function WebsitesCard({
  answer: { value: report, error, isLoading },
  money,
  hasSparks,
}: WebsiteParts) {
  const { to } = useAddress();
  const { websites } = useSignedIn();
  const all = websites.value?.items;
  const failure = (report ? undefined : error) ?? (all ? undefined : websites.error);
  const byWebsite = Map.groupBy(report?.items ?? [], ({ websiteKey = "" }) => websiteKey);
  const rowsOf = (key: string): readonly Row[] => byWebsite.get(key) ?? [];
  const blockedOf = ({ websiteKey }: WebsiteRow) => addUp(rowsOf(websiteKey), null).blocked;
  const first = [...(all ?? [])].sort((one, other) => blockedOf(other) - blockedOf(one)).slice(0, most);
  const rows = first.map(
    (website): Listed => ({ keys: [website.websiteKey], website, rows: rowsOf(website.websiteKey) }),
  );
  const deleted = (websites.value?.deleted ?? [])
    .map(({ websiteKey }) => websiteKey)
    .filter((key) => byWebsite.has(key));
  if (deleted.length > 0) rows.push({ keys: deleted, website: null, rows: deleted.flatMap(rowsOf) });
  const columns: Column<Listed>[] = [
    {
      key: "name",
      title: "Website",
      cell: ({ website, keys }) =>
        website ? <WebsiteName website={website} /> : <DeletedWebsites keys={keys} />,
    },
    ...(["blocked", "clicks", "rate", "money"] as const).map(
      (key): Column<Listed> => ({
        key,
        title: key === "blocked" ? "Blocked" : key === "rate" ? "Rate" : figureName(key, money),
        isFigure: true,
        cell: (row) => figureText(key, addUp(row.rows, money), money),
      }),
    ),
  ];
  if (hasSparks && report) {
    const whole = wholeDays(report, dayOf(Date.now()));
    const days = whole ? daysOf(whole) : [];
    columns.push({
      key: "spark",
      title: "Blocked by day",
      hidesTitle: true,
      isSmall: true,
      cell: (row) => {
        const byDay = addUpBy(row.rows, ({ date }) => date, null);
        return <Spark values={days.map((day) => byDay.get(day)?.blocked ?? 0)} />;
      },
    });
  }
  return (
    <Card
      title="Websites"
      isFlush
      isBusy={isLoading}
      action={
        <a href={to("/websites")}>
          {all && all.length > most ? `All ${formatCount(all.length)} websites` : "All websites"}
        </a>
      }
    >
      {failure ? (
        <p class="lonely quiet">{failure.message}</p>
      ) : !all || !report ? (
        <Skeleton lines={6} />
      ) : rows.length === 0 ? (
        <p class="lonely quiet">No website yet.</p>
      ) : (
        <div class="wide">
          {" "}
          <DataTable
            caption="Websites with the most blocked visits"
            columns={columns}
            rows={rows}
            rowKey={({ website }) => website?.websiteKey ?? "deleted"}
          />
        </div>
      )}
    </Card>
  );
}

function WebsiteName({
  website: { websiteKey, name, origins, health, development },
}: {
  website: WebsiteRow;
}) {
  const { to } = useAddress();
  const { tone, says, icon } = development ? developmentWords : healthWords[health];
  const [origin = ""] = origins;
  return (
    <div class="with-mark">
      <StateMark tone={tone} says={says} icon={icon} />
      <div>
        <a class="plain" href={to(`/websites/${websiteKey}`)}>
          {name}
        </a>
        <small>{origin.replace(/^https?:\/\//, "")}</small>
      </div>
    </div>
  );
}

function DeletedWebsites({ keys }: Pick<Listed, "keys">) {
  const { query, to } = useAddress();
  const names = useWebsiteNames();
  const [only = ""] = keys;
  return (
    <a class="plain" href={to("/reports", { by: "websiteKey", range: query.range, traffic: query.traffic })}>
      {keys.length === 1 ? names.get(only) : `${formatCount(keys.length)} deleted websites`}
    </a>
  );
}

/** Of a website that is being developed its own page tells how its tag fares; no visitor of anybody's meets it. */
const developmentWords = { tone: "plain", says: "Development", icon: "flask" } as const;

/** What is to be mended, the worst first, as the service says it. */
export function AttentionCard({
  answer,
  websiteKey,
}: {
  answer: Answer<{ items: Attention[] }>;
  websiteKey: string | undefined;
}) {
  const { to } = useAddress();
  const { websites } = useSignedIn();
  // As in the list of websites beside it.
  const developed = new Set(
    websites.value?.items.filter(({ development }) => development).map(({ websiteKey: key }) => key),
  );
  const causes = answer.value?.items
    .filter((cause) => (websiteKey ? cause.websiteKey === websiteKey : !developed.has(cause.websiteKey)))
    .toSorted((one, other) => Number(other.isFatal) - Number(one.isFatal));
  return (
    <Card title="Needs attention" isFlush says={causes && <span class="badge">{causes.length}</span>}>
      {!causes && !answer.error && <Skeleton lines={4} />}
      {answer.error && !causes && <p class="lonely quiet">{answer.error.message}</p>}
      {causes?.length === 0 && (
        <p class="lonely with-mark">
          <StateMark tone="good" says="Good" />
          Nothing that the service knows of.
        </p>
      )}
      <ul class="causes">
        {causes?.slice(0, most).map(({ websiteKey: key, name, code, says, fix, isFatal }) => (
          <li key={`${key} ${code}`}>
            <StateMark
              tone={isFatal ? "bad" : "warn"}
              says={isFatal ? "No offers are shown" : "Worth a look"}
            />
            <div>
              <strong>{name}</strong>
              <p>{says}</p>
              {fix && <p class="quiet">{fix}</p>}
            </div>
            <a class="button" href={to(`/websites/${key}`)}>
              {isFatal ? "Fix" : "Look"}
              <span class="heard"> at {name}</span>
            </a>
          </li>
        ))}
      </ul>
      {causes && causes.length > most && (
        <p class="lonely">
          <a href={to("/websites")}>All {formatCount(causes.length)}</a>
        </p>
      )}
    </Card>
  );
}

type ListParts = { answer: Answer<Report> };

/** Where visits were blocked. */
export function Places({ answer }: ListParts) {
  const link = useReportLink();
  const bars = longest(answer.value, "country", ({ blocked }) => blocked).map(
    ([country, sums]): Bar => ({
      key: country,
      name: formatPlace(country),
      size: sums.blocked,
      figures: [formatCount(sums.blocked), formatShare(sums.clicks, sums.seen, 1)],
      link: link({ country }),
    }),
  );
  return (
    <List title="Places" says="blocked visits" heads={["blocked", "rate"]} bars={bars} answer={answer} />
  );
}

/** What offers were of that visitors saw and clicked. */
export function Verticals({ answer }: ListParts) {
  const link = useReportLink();
  const bars = longest(answer.value, "vertical", ({ clicks }) => clicks).map(
    ([vertical, sums]): Bar => ({
      key: vertical,
      name: vertical,
      size: sums.clicks,
      figures: [formatCount(sums.clicks), formatShare(sums.clicks, sums.seen, 1)],
      link: link({ vertical }),
    }),
  );
  return <List title="Verticals" says="clicks" heads={["clicks", "rate"]} bars={bars} answer={answer} />;
}

/** Where events came from that do not count, and how many of all those are. */
export function NotCounted({ answer, isByWebsite }: ListParts & { isByWebsite: boolean }) {
  const names = useWebsiteNames();
  const all = addUp(answer.value?.items ?? [], null);
  const bars = longest(answer.value, isByWebsite ? "websiteKey" : "country", ({ filtered }) => filtered).map(
    ([key, sums]): Bar => ({
      key,
      name: isByWebsite ? (names.get(key) ?? key) : formatPlace(key),
      size: sums.filtered,
      figures: [formatCount(sums.filtered), formatShare(sums.filtered, sums.filtered + sums.counted, 1)],
    }),
  );
  const says = answer.value && `${formatShare(all.filtered, all.filtered + all.counted, 1)} of events`;
  return (
    <List title="What did not count" says={says} heads={["events", "share"]} bars={bars} answer={answer} />
  );
}

type CardParts = {
  title: string;
  says: string | undefined;
  heads: readonly string[];
  bars: readonly Bar[];
  answer: Answer<Report>;
};

function List({ title, says, heads, bars, answer: { value, error, isLoading } }: CardParts) {
  return (
    <Card title={title} says={says} isFlush isBusy={isLoading}>
      {!value && !error && <Skeleton lines={7} />}
      {!value && error && <p class="lonely quiet">{error.message}</p>}
      {value && bars.length === 0 && <p class="lonely quiet">Nothing in these days.</p>}
      {bars.length > 0 && <Bars bars={bars} heads={heads} label={title} />}
    </Card>
  );
}

/** The groups of a report with the most of something, without those that have none of it. */
const longest = (
  report: Report | undefined,
  by: "country" | "vertical" | "websiteKey",
  size: (sums: Sums) => number,
): [string, Sums][] =>
  [...addUpBy(report?.items ?? [], (row) => row[by], null)]
    .filter(([, sums]) => size(sums) > 0)
    .sort(([, one], [, other]) => size(other) - size(one))
    .slice(0, most);

const useReportLink = () => {
  const { query, to } = useAddress();
  return (filter: { country: string } | { vertical: string }) =>
    to("/reports", { range: query.range, websiteKey: query.websiteKey, traffic: query.traffic, ...filter });
};
