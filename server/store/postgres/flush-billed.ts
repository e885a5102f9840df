import { bytesOf } from "../rows/row-bytes.ts";
import { addSums, type Row, type Written } from "./flush-statements.ts";
import type { BilledChanges } from "./overlay-billed.ts";
import type { Statement } from "./pipeline.ts";

const billedClick: Written = {
  table: "billed_click",
  columns: { visitor: "bytea", offer: "bigint", at: "bigint" },
  keyLength: 3,
};
const billedNetwork: Written = {
  table: "billed_network",
  columns: { day: "bigint", network: "bytea", at: "bigint", clicks: "bigint", unnamed: "bigint" },
  keyLength: 3,
};
const billedView: Written = {
  table: "billed_view",
  columns: {
    ...{ hour: "bigint", viewer: "bytea", offer: "bigint", at: "bigint" },
    ...{ views: "bigint", unnamed: "bigint" },
  },
  keyLength: 4,
};

/** To whom something was billed. */
export function flushBilled({ clicks, networks, views }: BilledChanges): Statement[] {
  const sums = { clicks: ["clicks", "unnamed"], views: ["views", "unnamed"] };
  return [
    ...addSums(
      billedClick,
      clicks.map((row): Row => ({ ...row, visitor: bytesOf(row.visitor) })),
      {
        sums: [],
      },
    ),
    ...addSums(
      billedNetwork,
      networks.map((row): Row => ({ ...row, network: bytesOf(row.network) })),
      {
        sums: sums.clicks,
      },
    ),
    ...addSums(
      billedView,
      views.map((row): Row => ({ ...row, viewer: bytesOf(row.viewer) })),
      {
        sums: sums.views,
      },
    ),
  ];
}
