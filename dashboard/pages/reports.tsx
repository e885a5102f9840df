import type { ReportDimension } from "@offers/contract/reports";
import { surfaces } from "@offers/contract/words";
import { useAddress } from "../address.ts";
import { csvLink, type Report, type Row } from "../api.ts";
import { curlText } from "../curl-text.ts";
import { formatCount } from "../format.ts";
import { Card } from "../parts/card.tsx";
import { CopyButton } from "../parts/copy-button.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { EmptyState } from "../parts/empty-state.tsx";
import { Failure } from "../parts/failure.tsx";
import { SelectField, SmallSelect } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { RangePicker, useRange } from "../parts/range-picker.tsx";
import { Switch } from "../parts/tabs.tsx";
import {
  dimensionNames,
  dimensions,
  dimensionText,
  filterNames,
  readGrouping,
  rowKey,
  toggled,
} from "../report-dimensions.ts";
import { sortedRows, toldFigures } from "../report-figures.ts";
import { useMay, usePublisher, useSignedIn, useWebsiteNames } from "../signed-in.ts";
import { surfaceWords } from "../surface-words.ts";
import { useAnswer } from "../use-answer.ts";
import { websiteChoices } from "../website-choices.ts";

/** Most rows that are drawn at once: a browser is slow to lay out more, and the file has them all. */
const mostRows = 300;

/** The report as a table of any dimensions, with its totals, its file, and the call that answers the same. */
export function Reports() {
  const { query } = useAddress();
  const publisher = usePublisher();
  const { me } = useSignedIn();
  const range = useRange();
  const grouping = readGrouping(query.by);
  const traffic = query.traffic === "test" ? "test" : "live";
  const asked = {
    from: range.from,
    to: range.to,
    groupBy: grouping,
    ...Object.fromEntries(filterNames.map((name) => [name, query[name]])),
    traffic,
  };
  const mine = { publisher: publisher.publisherId, ...asked };
  const { value: report, error, isLoading, again } = useAnswer<Report>("report", mine);

  return (
    <>
      <PageHeader
        title="Reports"
        says={`${traffic === "test" ? "Traffic of development websites" : "Live traffic"}, in days of UTC.`}
        actions={<Choices traffic={traffic} />}
      />
      <Card
        title="Rows by"
        action={
          <div class="row push">
            <a class="button" href={csvLink("report", mine)} download>
              <Icon name="download" />
              CSV
            </a>
            <CopyButton
              text={curlText(me.service.baseUrl, "/v1/reports/aggregate", asked)}
              says="Copy as API call"
            />
          </div>
        }
      >
        <Grouping grouping={grouping} />
        <Filters />
      </Card>
      {error && <Failure error={error} again={again} />}
      {report && !(isLoading && report.items.length === 0) ? (
        <Rows report={report} grouping={grouping} isBusy={isLoading} />
      ) : (
        !error && <Skeleton height={480} lines={9} />
      )}
    </>
  );
}

function Choices({ traffic }: { traffic: "live" | "test" }) {
  const { query, having, go } = useAddress();
  const { websites } = useSignedIn();
  return (
    <>
      <SmallSelect
        label="Website"
        value={query.websiteKey ?? ""}
        choices={websiteChoices(websites.value, query.websiteKey)}
        onValue={(websiteKey) => go(having({ websiteKey }))}
      />
      <SmallSelect
        label="Part of the page"
        value={query.surface ?? ""}
        choices={[
          { value: "", says: "All surfaces" },
          ...surfaces.map((surface) => ({ value: surface, says: surfaceWords[surface] })),
        ]}
        onValue={(surface) => go(having({ surface }))}
      />
      <RangePicker range={useRange()} />
      <Switch
        label="Traffic"
        tabs={[
          { key: "live", says: "Live", link: having({ traffic: null }), isChosen: traffic === "live" },
          { key: "test", says: "Test", link: having({ traffic: "test" }), isChosen: traffic === "test" },
        ]}
      />
    </>
  );
}

function Grouping({ grouping }: { grouping: readonly ReportDimension[] }) {
  const { having } = useAddress();
  return (
    <ul class="toggles" aria-label="Rows are told apart by">
      {dimensionNames.map((name) => {
        const isOn = grouping.includes(name);
        return (
          <li key={name}>
            <a
              href={having({ by: toggled(grouping, name), sort: null })}
              aria-current={isOn ? "true" : undefined}
            >
              {isOn && <Icon name="check" />}
              {dimensions[name].title}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** What the rows are narrowed to, each with a press that takes it away. */
function Filters() {
  const { query, having } = useAddress();
  const names = useWebsiteNames();
  const set = dimensionNames.filter((name) => dimensions[name].filters && query[name]);
  if (set.length === 0) return <p class="quiet">Press a value in the table to see its rows alone.</p>;
  return (
    <ul class="toggles" aria-label="Only rows with">
      {set.map((name) => (
        <li key={name}>
          <a href={having({ [name]: null })} aria-current="true">
            {dimensions[name].title}: {dimensionText(name, query[name], names)}
            <Icon name="cross" says="Take this filter away" />
          </a>
        </li>
      ))}
    </ul>
  );
}

function Rows({
  report,
  grouping,
  isBusy,
}: {
  report: Report;
  grouping: readonly ReportDimension[];
  isBusy: boolean;
}) {
  const { query, having, to, go } = useAddress();
  const names = useWebsiteNames();
  const mayEdit = useMay("editor");
  if (report.items.length === 0) {
    return (
      <EmptyState
        icon="bars"
        title="No traffic in these days"
        action={
          mayEdit && (
            <a class="button main" href={to("/start")}>
              Set up a website
            </a>
          )
        }
      >
        Choose other days, or take a filter away.
      </EmptyState>
    );
  }

  const figures = toldFigures(report);
  const [sortedBy = "", order = "down"] = query.sort?.split(".") ?? [];
  const chosen = figures.find(({ key }) => key === sortedBy);
  const rows = chosen ? sortedRows(report.items, chosen, order === "up" ? "up" : "down") : report.items;
  // Where money is of several currencies its sums stand apart, and each row says which it is.
  const sums = report.totalsByCurrency.filter(({ currency }) => currency !== null);
  const [onlySum] = sums.length === 1 ? sums : [];
  const totals = { ...report.totals, currency: onlySum?.currency ?? null };
  const columns: Column<Row>[] = [
    ...grouping.map(
      (name): Column<Row> => ({
        key: name,
        title: dimensions[name].title,
        cell: (row) => {
          const text = dimensionText(name, row[name], names);
          const canFilter = dimensions[name].filters && row[name] !== null && !query[name];
          return canFilter ? (
            <a class="soft" href={having({ [name]: row[name] ?? null })}>
              {text}
            </a>
          ) : (
            text
          );
        },
      }),
    ),
    ...figures.map(({ key, title, means, text }): Column<Row> => {
      const isSorted = key === sortedBy;
      const isDown = isSorted && order !== "up";
      return {
        key,
        title,
        means,
        isFigure: true,
        cell: text,
        total:
          (key === "spend" || key === "earnings") && sums.length > 1
            ? sums.map((sum) => <div key={sum.currency}>{text(sum)}</div>)
            : text(totals),
        sortLink: having({ sort: `${key}.${isDown ? "up" : "down"}` }),
        sorted: isSorted ? (isDown ? "descending" : "ascending") : undefined,
      };
    }),
  ];
  return (
    <Card isFlush isBusy={isBusy}>
      <div class="for-heads">
        <SelectField
          label="Sorted by"
          value={chosen ? `${chosen.key}.${order === "up" ? "up" : "down"}` : ""}
          choices={[
            { value: "", says: "As they come" },
            ...figures.flatMap(({ key, title }) => [
              { value: `${key}.down`, says: `${title}, the most first` },
              { value: `${key}.up`, says: `${title}, the least first` },
            ]),
          ]}
          onValue={(sort) => go(having({ sort }))}
        />
        <details>
          <summary>What the figures mean</summary>
          <dl class="inside facts">
            {figures.map(({ key, title, means }) => (
              <div key={key}>
                <dt>{title}</dt>
                <dd>{means}</dd>
              </div>
            ))}
          </dl>
        </details>
      </div>
      <div class="wide">
        <DataTable
          caption="The report"
          columns={columns}
          rows={rows.slice(0, mostRows)}
          rowKey={(row) => rowKey(row, grouping)}
          totals={rows.length === 1 ? "1 row" : `${formatCount(rows.length)} rows`}
        />
      </div>
      {rows.length > mostRows && (
        <footer class="quiet">
          The first {mostRows} of {formatCount(rows.length)} rows. The CSV has them all.
        </footer>
      )}
    </Card>
  );
}
