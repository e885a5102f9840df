import { useMemo } from "preact/hooks";
import { useAddress } from "../address.ts";
import { csvLink, type Query, type Report } from "../api.ts";
import {
  decimalsOf,
  formatDay,
  formatDays,
  formatExactMoney,
  formatLongDay,
  formatTableDay,
} from "../format.ts";
import {
  addUp,
  addUpBy,
  axisText,
  changeText,
  comparedSums,
  type FigureKey,
  figureKeys,
  figureName,
  figureText,
  type MoneyKind,
  type Sums,
  sizeOf,
} from "../overview-figures.ts";
import { Chart, type Point } from "../parts/chart.tsx";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { SmallSelect } from "../parts/field.tsx";
import { Figures } from "../parts/figures.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { dayOf, daysOf } from "../ranges.ts";
import type { Answer } from "../use-answer.ts";

type Parts = {
  answer: Answer<Report>;
  /** Of as many days before; undefined where nothing is compared, or the answer is still to come. */
  before: Report | undefined;
  money: MoneyKind | null;
  /** What else the report was asked for: the file is of the same. */
  asked: Query;
};

type Day = {
  day: string;
  /** The day is not over. */
  isSoFar: boolean;
  sums: Sums;
  before?: { day: string; sums: Sums };
};

/** Five figures, of which the chosen one is drawn by day; or the rows that it is drawn from. */
export function Trend({ answer: { value: report, isLoading }, before, money, asked }: Parts) {
  const { query, having } = useAddress();
  const chosen = figureKeys.find((key) => key === query.figure) ?? "clicks";
  const isTable = query.view === "table";
  const today = dayOf(Date.now());
  // A year's texts are made once, and not for each of the page's answers.
  const days = useMemo(
    () => (report ? daysWith(report, before, { money, today }) : []),
    [report, before, money?.currency, money?.of, today],
  );
  const points = useMemo(() => days.map((day) => pointOf(day, chosen, money)), [days, chosen]);
  const sums = report && addUp(report.items, money);
  const compared = report && before && comparedSums({ now: report, before }, money, today);
  const hasToday = days.some(({ isSoFar }) => isSoFar);
  const name = figureName(chosen, money);

  return (
    <section class="card flush" aria-label="Figures by day" aria-busy={isLoading}>
      <Figures
        label="Figures of the whole range"
        figures={figureKeys.map((key) => ({
          name: figureName(key, money),
          value: sums ? figureText(key, sums, money) : "–",
          says:
            compared === null
              ? "no whole day yet"
              : compared && <Change text={changeText(key, compared.now, compared.before)} />,
          link: having({ figure: key === "clicks" ? null : key }),
          isChosen: key === chosen,
        }))}
      />
      {!report && <Skeleton height={260} />}
      {report && isTable && <DaysTable days={days} chosen={chosen} money={money} sums={sums} />}
      {report && !isTable && (
        <Chart
          title={`${name} by day`}
          description={describe(days, chosen, money)}
          points={points}
          formatValue={(value) => axisText(chosen, value)}
          isWhole={chosen !== "rate" && chosen !== "money"}
        />
      )}
      <footer>
        <span class="legend">{name}</span>
        {before && <span class="legend before">Period before, {formatDays(before)}</span>}
        {hasToday && (
          <span class="legend so-far">Today so far{compared && ", left out of what is compared"}</span>
        )}
        <div class="row push">
          <Currencies report={report} money={money} />
          <a class="button" href={having({ view: isTable ? null : "table" })}>
            <Icon name={isTable ? "pulse" : "list"} />
            {isTable ? "Show as chart" : "Show as table"}
          </a>
          <a
            class="button"
            href={csvLink("report", { ...asked, from: report?.from, to: report?.to, groupBy: ["date"] })}
            download
          >
            <Icon name="download" />
            CSV
          </a>
        </div>
      </footer>
    </section>
  );
}

function Change({ text }: { text: string | null }) {
  if (text === null) return <>nothing to compare</>;
  return (
    <>
      <b>{text}</b> vs before
    </>
  );
}

/** Money of two currencies is never added up, so one is chosen. */
function Currencies({ report, money }: { report: Report | undefined; money: MoneyKind | null }) {
  const { having, go } = useAddress();
  const currencies = report?.totalsByCurrency.flatMap(({ currency }) => currency ?? []) ?? [];
  if (currencies.length < 2 || !money) return null;
  return (
    <SmallSelect
      label="Currency"
      value={money.currency}
      choices={currencies.map((currency) => ({ value: currency, says: currency }))}
      onValue={(currency) => go(having({ currency }))}
    />
  );
}

type TableParts = {
  days: readonly Day[];
  chosen: FigureKey;
  money: MoneyKind | null;
  sums: Sums | undefined;
};

function DaysTable({ days, chosen, money, sums }: TableParts) {
  const shown = days.flatMap(({ sums: own, before }) => [own, ...(before ? [before.sums] : [])]);
  const decimals = decimalsOf(shown.map(({ money: micros }) => micros));
  // In all digits, unlike the figure above it: the rows have to add up to the last one.
  const textOf = (key: FigureKey, own: Sums) =>
    key === "money" && money
      ? formatExactMoney(own.money, money.currency, decimals)
      : figureText(key, own, money);
  const columns: Column<Day>[] = [
    {
      key: "day",
      title: "Date",
      cell: ({ day, isSoFar }) => (
        <>
          {formatTableDay(day)}
          {isSoFar && <span class="quiet"> so far</span>}
        </>
      ),
    },
    ...figureKeys.map(
      (key): Column<Day> => ({
        key,
        title: figureName(key, money),
        isFigure: true,
        cell: (day) => textOf(key, day.sums),
        total: sums && textOf(key, sums),
      }),
    ),
    ...(days.some(({ before }) => before)
      ? [
          {
            key: "before",
            title: `${figureName(chosen, money)} before`,
            isFigure: true,
            cell: ({ before }: Day) => before && textOf(chosen, before.sums),
          },
        ]
      : []),
  ];
  return (
    <div class="wide">
      <DataTable
        caption="Figures by day"
        columns={columns}
        rows={days}
        rowKey={({ day }) => day}
        totals="All"
      />
    </div>
  );
}

/** Every day of the range, also those of which there is no row. */
const daysWith = (
  report: Report,
  before: Report | undefined,
  { money, today }: { money: MoneyKind | null; today: string },
): Day[] => {
  const none = addUp([], null);
  const now = addUpBy(report.items, ({ date }) => date, money);
  const earlier = before && addUpBy(before.items, ({ date }) => date, money);
  const daysBefore = before ? daysOf(before) : [];
  return daysOf(report).map((day, index) => {
    const dayBefore = daysBefore[index];
    return {
      day,
      isSoFar: day >= today,
      sums: now.get(day) ?? none,
      ...(earlier && dayBefore && { before: { day: dayBefore, sums: earlier.get(dayBefore) ?? none } }),
    };
  });
};

const pointOf = ({ day, isSoFar, sums, before }: Day, key: FigureKey, money: MoneyKind | null): Point => {
  const value = `${figureText(key, sums, money)} ${unit(key, money)}`;
  const change = before && !isSoFar && changeText(key, sums, before.sums);
  return {
    label: formatDay(day),
    isSoFar,
    value: sizeOf(key, sums),
    before: before && sizeOf(key, before.sums),
    says: before
      ? [
          formatLongDay(day),
          value,
          `${figureText(key, before.sums, money)} on ${formatDay(before.day)}${change ? ` · ${change}` : ""}`,
        ]
      : [formatLongDay(day), value],
  };
};

const unit = (key: FigureKey, money: MoneyKind | null): string =>
  ({
    blocked: "blocked",
    seen: "seen",
    clicks: "clicks",
    rate: "click rate",
    money: figureName("money", money).toLowerCase(),
  })[key];

const describe = (days: readonly Day[], key: FigureKey, money: MoneyKind | null): string => {
  const highest = days.reduce(
    (top, day) => ((sizeOf(key, day.sums) ?? 0) > (sizeOf(key, top.sums) ?? 0) ? day : top),
    days[0] as Day,
  );
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return "No day.";
  return `From ${formatLongDay(first.day)} with ${figureText(key, first.sums, money)} to ${formatLongDay(last.day)} with ${figureText(key, last.sums, money)}${last.isSoFar ? " so far" : ""}; the highest on ${formatLongDay(highest.day)} with ${figureText(key, highest.sums, money)}.`;
};
