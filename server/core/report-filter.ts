import type { WebsiteKey } from "@offers/contract/ids";
import type { ReportDimension, ReportQuery } from "@offers/contract/reports";
import type { CountedType } from "@offers/contract/words";

/** Parameters of a report that say of when and whose it is, and in what form it is told. */
type Framing = "from" | "to" | "timeZone" | "websiteKey" | "traffic" | "eventType" | "groupBy" | "format";

/** To what a report is narrowed: all other parameters, so that none can be taken and left unread. An offer by its id. */
export type Narrowing = Omit<ReportQuery, Framing | "offer"> & { offer?: string | undefined };

/** What a report is about. Whoever asks has checked that these websites are theirs to see. */
export type ReportFilter = Narrowing & {
  websites: readonly { id: number; key: WebsiteKey }[];
  /** Dates, both included: of UTC, or of the zone that is `utcOffset` hours before it. */
  from: string;
  to: string;
  utcOffset?: number | undefined;
  /** Traffic of development websites instead of everybody else's. */
  test: boolean;
  /** Rows in which any of these is above 0; none: all rows. */
  eventTypes: readonly CountedType[];
  groupBy: readonly ReportDimension[];
  /** Of more rows, those of each currency of a place counted, no report is made; left out: of any number. */
  mostRows?: number | undefined;
};

export type ReportFormat = "json" | "csv";
