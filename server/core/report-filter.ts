import type { WebsiteKey } from "@offers/contract/ids";
import type { ReportDimension } from "@offers/contract/reports";
import type { CountedType, DeviceClass, Placement, Surface } from "@offers/contract/words";

/** What a report is about. Whoever asks has checked that these websites are theirs to see. */
export type ReportFilter = {
  websites: readonly { id: number; key: WebsiteKey }[];
  /** Dates, both included: of UTC, or of the zone that is `utcOffset` hours before it. */
  from: string;
  to: string;
  utcOffset?: number | undefined;
  country?: string | undefined;
  vertical?: string | undefined;
  surface?: Surface | undefined;
  /** Such as `US-NJ`. */
  region?: string | undefined;
  /** An offer's id. */
  offer?: string | undefined;
  brand?: string | undefined;
  placement?: Placement | undefined;
  device?: DeviceClass | undefined;
  /** Traffic of development websites instead of everybody else's. */
  test: boolean;
  /** Rows in which any of these is above 0; none: all rows. */
  eventTypes: readonly CountedType[];
  groupBy: readonly ReportDimension[];
};

export type ReportFormat = "json" | "csv";
