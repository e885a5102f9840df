import type { WebsiteKey } from "@offers/contract/ids";
import type { ReportDimension } from "@offers/contract/reports";
import type { CountedType, Surface } from "@offers/contract/words";

/** What a report is about. Whoever asks has checked that these websites are theirs to see. */
export type ReportFilter = {
  websites: readonly { id: number; key: WebsiteKey }[];
  /** UTC dates, both included. */
  from: string;
  to: string;
  country?: string | undefined;
  vertical?: string | undefined;
  surface?: Surface | undefined;
  /** Traffic of development websites instead of everybody else's. */
  test: boolean;
  /** Rows in which any of these is above 0; none: all rows. */
  eventTypes: readonly CountedType[];
  groupBy: readonly ReportDimension[];
};

export type ReportFormat = "json" | "csv";
