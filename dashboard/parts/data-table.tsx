import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

export type Column<Row> = {
  key: string;
  title: string;
  /** What the column counts, told when its head is pointed at or focused. */
  means?: string;
  /** Stands at the end of its column, in figures of one width. */
  isFigure?: boolean;
  cell: (row: Row) => ComponentChildren;
  /** Its cell in the row of totals. */
  total?: ComponentChildren;
  /** Where a press on its head leads, which sorts by it. */
  sortLink?: string;
  sorted?: "ascending" | "descending" | undefined;
};

type Parts<Row> = {
  /** What the table holds; it is heard, not seen. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Words before the totals; without them there is no such row. */
  totals?: string;
};

/** Said once more, since a table that is not displayed as one loses its roles in some browsers. */
const as = {
  table: { role: "table" },
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  columnheader: { role: "columnheader" },
  cell: { role: "cell" },
} as const;

/** A table whose rows are folded to blocks where there is little room: each cell then carries its column's name. */
export function DataTable<Row>({ caption, columns, rows, rowKey, totals }: Parts<Row>) {
  return (
    <table class="data" {...as.table}>
      <caption class="heard">{caption}</caption>
      <thead {...as.rowgroup}>
        <tr {...as.row}>
          {columns.map((column) => (
            <th
              key={column.key}
              {...as.columnheader}
              scope="col"
              class={kind(column)}
              aria-sort={column.sorted}
            >
              <Head column={column} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...as.rowgroup}>
        {rows.map((row) => (
          <tr {...as.row} key={rowKey(row)}>
            {columns.map((column, index) => (
              <td key={column.key} {...as.cell} class={kind(column, index)} data-title={column.title}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {totals && (
        <tfoot {...as.rowgroup}>
          <tr {...as.row}>
            {columns.map((column, index) => (
              <td key={column.key} {...as.cell} class={kind(column, index)} data-title={column.title}>
                {index === 0 ? totals : column.total}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function Head<Row>({ column: { title, means, sortLink, sorted } }: { column: Column<Row> }) {
  const words = means ? <Term means={means}>{title}</Term> : title;
  if (!sortLink) return <>{words}</>;
  return (
    <a href={sortLink} title={means}>
      {title}
      {sorted && <Icon name={sorted === "ascending" ? "up" : "down"} />}
    </a>
  );
}

/** A word whose meaning shows when it is pointed at or focused. */
export function Term({ means, children }: { means: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever uses the keyboard is to learn the meaning too.
    <span class="term" tabIndex={0}>
      {children}
      <span class="meaning" role="tooltip">
        {means}
      </span>
    </span>
  );
}

const kind = <Row,>({ isFigure }: Column<Row>, index = -1): string | undefined =>
  [isFigure && "figure", index === 0 && "first"].filter(Boolean).join(" ") || undefined;
