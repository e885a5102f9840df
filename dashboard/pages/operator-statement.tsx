import type { AdvertiserMonth, ExactMicros } from "@offers/contract/dash/operator";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { csvLink, type Whole } from "../api.ts";
import { decimalsOf, formatCount, formatExactMoney, formatMoment, formatMonth } from "../format.ts";
import { plainAmount } from "../money.ts";
import { Card } from "../parts/card.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Failure } from "../parts/failure.tsx";
import { SmallSelect } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Skeleton } from "../parts/loading.tsx";
import { Notice } from "../parts/notice.tsx";
import { OfferLink } from "../parts/offer-link.tsx";
import { statementMonths } from "../statement-months.ts";
import { useAnswer } from "../use-answer.ts";

/**
 * An advertiser's account of a month, as a table and as a file. It is read out of the whole ledger, so somebody asks for it first:
 * the month that is shown stands in the address.
 */
export function Statement({ path, createdAt }: { path: string; createdAt: number }) {
  const { query, having, go } = useAddress();
  const { months, first } = statementMonths(createdAt, Date.now());
  const shown = months.find((month) => month === query.statement) ?? null;
  const [month, setMonth] = useState(shown ?? first);
  const { value, error, isLoading, again } = useAnswer<AdvertiserMonth>(shown && `${path}/statement`, {
    month: shown,
  });
  // A month that was read before this one says nothing of it.
  const read = value?.month === shown ? value : undefined;
  const choose = (chosen: string) => {
    setMonth(chosen);
    if (shown) go(having({ statement: chosen }), true);
  };
  return (
    <Card
      title="Statement"
      isFlush
      isBusy={isLoading}
      action={
        <div class="row">
          <SmallSelect
            label="Month"
            value={shown ?? month}
            choices={months.map((one, index) => ({
              value: one,
              says: index === 0 ? `${formatMonth(one)}, so far` : formatMonth(one),
            }))}
            onValue={choose}
          />
          <a class="button" href={having({ statement: shown ? null : month })}>
            <Icon name="list" />
            {shown ? "Hide" : "Show"}
          </a>
          <a class="button" href={csvLink(`${path}/statement`, { month: shown ?? month })} download>
            <Icon name="download" />
            CSV
          </a>
        </div>
      }
    >
      {shown && error && <Failure error={error} again={again} />}
      {shown && !read && !error && <Skeleton lines={3} />}
      {read && <Month read={read} />}
    </Card>
  );
}

/** A line of the table, of which the amounts add up to the last one. */
type Line = {
  key: string;
  what: ComponentChildren;
  at?: number;
  note?: string | null;
  amount: Whole;
  currency: string | null;
} & Partial<Pick<AdvertiserMonth["items"][number], "billableClicks" | "billedViews">>;

function Month({ read }: { read: AdvertiserMonth }) {
  const { currency } = read;
  const lines: Line[] = [
    { ...{ key: "opening", what: "Opening balance", currency }, amount: wholeOf(read.opening) },
    ...read.payments.map(({ line, kind, amount, ...one }) => ({
      ...{ ...one, key: `line ${line}`, what: sentence(kind), amount: wholeOf(amount) },
      currency: one.currency ?? currency,
    })),
    ...read.items.map(({ offerId, brand, title, spend, ...one }) => ({
      ...{ ...one, key: `${offerId} ${one.currency}`, amount: -BigInt(spend) },
      what: <OfferLink offerId={offerId} title={title} brand={brand} />,
    })),
  ];
  // The same of all of them, since they add up.
  const decimals = decimalsOf([read.closing, ...lines.map(({ amount }) => amount)].map(wholeOf));
  const money = (amount: Whole, of: string | null) =>
    of === null ? plainAmount(amount) : formatExactMoney(amount, of, decimals);
  const counted = (count: number | undefined) => count !== undefined && formatCount(count);
  return (
    <>
      {read.differences.length > 0 && (
        <Notice tone="bad">
          <p>{sentence(read.check)}</p>
          <ul>
            {read.differences.map(({ offerId, figure, ledger, recorded }) => (
              <li key={`${offerId} ${figure}`}>
                {offerId && <code>{offerId}</code>} {figure}: ledger {String(ledger)}, recorded{" "}
                {String(recorded)}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <DataTable<Line>
        caption={`Statement of ${formatMonth(read.month)}`}
        rows={lines}
        rowKey={({ key }) => key}
        totals="Closing balance"
        columns={[
          { key: "what", title: "What", cell: ({ what }) => what },
          ...(read.payments.length > 0
            ? [
                {
                  ...{ key: "at", title: "When" },
                  cell: ({ at }: Line) => at !== undefined && formatMoment(at),
                },
              ]
            : []),
          { key: "note", title: "Note", cell: ({ note }) => note },
          {
            ...{ key: "clicks", title: "Billable clicks", isFigure: true },
            cell: ({ billableClicks }) => counted(billableClicks),
          },
          {
            ...{ key: "views", title: "Billed views", isFigure: true },
            cell: ({ billedViews }) => counted(billedViews),
          },
          {
            ...{ key: "amount", title: "Amount", isFigure: true },
            cell: (line) => money(line.amount, line.currency),
            total: money(wholeOf(read.closing), currency),
          },
        ]}
      />
      <footer class="quiet">
        {read.differences.length === 0 && <span>{sentence(read.check)}</span>}
        <span>{sentence(read.finality)}</span>
      </footer>
    </>
  );
}

const wholeOf = (amount: ExactMicros | Whole): Whole =>
  typeof amount === "string" ? BigInt(amount) : amount;

/** A line of the command line as a sentence. */
const sentence = (line: string): string => line.charAt(0).toUpperCase() + line.slice(1);
