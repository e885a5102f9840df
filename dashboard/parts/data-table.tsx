import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { useEscape } from "../use-escape.ts";
import { Icon } from "./icon.tsx";

export type Column<Row> = {
  key: string;
  title: string;
  /** Has a title that is heard and not seen, as that of buttons. */
  hidesTitle?: boolean;
  /** What the column counts, told when its head is pointed at or focused. */
  means?: string;
  /** Stands at the end of its column, in figures of one width. */
  isFigure?: boolean;
  /** Is left out where there is little room. */
  isSmall?: boolean;
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
              <td
                key={column.key}
                {...as.cell}
                class={kind(column, index)}
                data-title={column.hidesTitle ? undefined : column.title}
              >
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
              <td
                key={column.key}
                {...as.cell}
                class={kind(column, index)}
                data-title={column.hidesTitle ? undefined : column.title}
              >
                {index === 0 ? totals : column.total}
              </td>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function Head<Row>({ column: { title, hidesTitle, means, sortLink, sorted } }: { column: Column<Row> }) {
  if (hidesTitle) return <span class="heard">{title}</span>;
  const words = (
    <>
      {title}
      {sorted && <Icon name={sorted === "ascending" ? "up" : "down"} />}
    </>
  );
  if (means) {
    return (
      <Term means={means} link={sortLink}>
        {words}
      </Term>
    );
  }
  return sortLink ? <a href={sortLink}>{words}</a> : words;
}

/** In milliseconds: how long a meaning stays while the pointer goes from its word to it. */
const grace = 150;

/** A word, or a link, whose meaning shows when it, or the meaning, is pointed at or focused; Escape puts the meaning away. */
function Term({
  means,
  link,
  children,
}: {
  means: string;
  link?: string | undefined;
  children: ComponentChildren;
}) {
  const id = useId();
  const [place, setPlace] = useState<{ insetBlockStart: string; insetInlineEnd: string } | null>(null);
  const leaving = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const stay = () => clearTimeout(leaving.current);
  useEffect(() => stay, []);
  const show = ({ currentTarget }: { currentTarget: EventTarget & Element }) => {
    stay();
    const { bottom, right, left } = currentTarget.getBoundingClientRect();
    // Of the window, since a table that scrolls would cut it off; and never beyond its near edge.
    const end = Math.min(innerWidth - right, innerWidth - left - 1, innerWidth - 272);
    setPlace({ insetBlockStart: `${bottom + 6}px`, insetInlineEnd: `${Math.max(8, end)}px` });
  };
  const hide = () => {
    stay();
    setPlace(null);
  };
  const hideSoon = () => {
    stay();
    leaving.current = setTimeout(hide, grace);
  };
  useEscape(place !== null, hide);
  const how = {
    class: "term",
    "aria-describedby": id,
    onPointerEnter: show,
    onPointerLeave: hideSoon,
    onFocus: show,
    onBlur: hide,
  };
  return (
    <>
      {link ? (
        <a href={link} {...how}>
          {children}
        </a>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever uses the keyboard is to learn the meaning too.
        <span tabIndex={0} {...how}>
          {children}
        </span>
      )}
      <span
        id={id}
        role="tooltip"
        class="meaning"
        hidden={!place}
        style={place ?? undefined}
        onPointerEnter={stay}
        onPointerLeave={hideSoon}
      >
        {means}
      </span>
    </>
  );
}

const kind = <Row,>({ isFigure, isSmall }: Column<Row>, index = -1): string | undefined =>
  [isFigure && "figure", isSmall && "small", index === 0 && "first"].filter(Boolean).join(" ") || undefined;
