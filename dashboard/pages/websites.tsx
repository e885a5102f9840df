import type { WebsiteRow } from "@offers/contract/dash/tag-health";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import type { Report } from "../api.ts";
import { formatCount } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { TextField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Spark } from "../parts/spark.tsx";
import { Badge, healthWords } from "../parts/state.tsx";
import { dayOf, daysOf, readRange, wholeDays } from "../ranges.ts";
import { useMay, usePublisher, useSignedIn } from "../signed-in.ts";
import { useAnswer } from "../use-answer.ts";

/** A publisher's websites, how each fares, and what it did in the last thirty days. */
export function Websites() {
  const { to } = useAddress();
  const { websites } = useSignedIn();
  const mayEdit = useMay("editor");
  const { value, error, again } = websites;
  const add = mayEdit && (
    <a class="button main" href={to("/start")}>
      <Icon name="plus" />
      Add a website
    </a>
  );
  return (
    <>
      <PageHeader title="Websites" actions={add} />
      {error && <Failure error={error} again={again} />}
      {!value && !error && <Skeleton height={240} lines={5} />}
      {value?.items.length === 0 && (
        <EmptyState icon="globe" title="No website yet" action={add}>
          A website is where your pages carry the tag. Setting one up takes two minutes.
        </EmptyState>
      )}
      {value && value.items.length > 0 && <List websites={value.items} />}
    </>
  );
}

function List({ websites }: { websites: readonly WebsiteRow[] }) {
  const { to } = useAddress();
  const { publisherId } = usePublisher();
  const [wanted, setWanted] = useState("");
  const today = dayOf(Date.now());
  const range = readRange("30d", today);
  const {
    value: report,
    error,
    again,
  } = useAnswer<Report>("report", {
    publisher: publisherId,
    from: range.from,
    to: range.to,
    groupBy: ["date", "websiteKey"],
  });
  const figures = (key: string, name: "blocked" | "clicks") => {
    const byDay = new Map<string, number>();
    for (const row of report?.items ?? []) {
      if (row.websiteKey === key) byDay.set(row.date ?? "", (byDay.get(row.date ?? "") ?? 0) + row[name]);
    }
    return byDay;
  };
  const days = daysOf(wholeDays(range, today) ?? range);
  const count = (byDay: ReadonlyMap<string, number>) =>
    report ? formatCount([...byDay.values()].reduce((all, one) => all + one, 0)) : "–";
  const columns: Column<WebsiteRow>[] = [
    {
      key: "name",
      title: "Website",
      cell: (one) => (
        <>
          <a href={to(`/websites/${one.websiteKey}`)}>{one.name}</a>{" "}
          {one.paused && <Badge tone="warn">Paused</Badge>} {one.development && <Badge>Development</Badge>}
          <br />
          <small class="quiet">
            {one.origins[0]}
            {one.origins.length > 1 && ` and ${one.origins.length - 1} more`}
          </small>
        </>
      ),
    },
    {
      key: "health",
      title: "Tag",
      cell: (one) => {
        const { tone, says, icon } = healthWords[one.health];
        return (
          <>
            <Badge tone={tone} icon={icon}>
              {says}
            </Badge>
            {one.causes > 0 && <small class="quiet"> · {one.causes} to look at</small>}
          </>
        );
      },
    },
    {
      key: "spark",
      title: "30 days",
      cell: (one) => {
        const byDay = figures(one.websiteKey, "blocked");
        return report && <Spark values={days.map((day) => byDay.get(day) ?? 0)} />;
      },
    },
    {
      key: "blocked",
      title: "Blocked",
      isFigure: true,
      cell: (one) => count(figures(one.websiteKey, "blocked")),
    },
    {
      key: "clicks",
      title: "Clicks",
      isFigure: true,
      cell: (one) => count(figures(one.websiteKey, "clicks")),
    },
  ];
  const isWanted = ({ name, origins, websiteKey }: WebsiteRow) =>
    [name, websiteKey, ...origins].some((text) => text.toLowerCase().includes(wanted.trim().toLowerCase()));
  const rows = websites.filter(isWanted);
  return (
    <>
      {websites.length > 8 && (
        <TextField
          label="Find"
          type="search"
          value={wanted}
          onValue={setWanted}
          placeholder="Name or address"
        />
      )}
      {error && <Failure error={error} again={again} />}
      <Card isFlush>
        <DataTable caption="Websites" columns={columns} rows={rows} rowKey={({ websiteKey }) => websiteKey} />
      </Card>
    </>
  );
}
