import type { RangeSource } from "./ranges.ts";

/** Where an address is, in codes of ISO 3166. */
export type Located = {
  /** Two capital letters; `ZZ` when unknown. */
  country: string;
  /** Bare subdivision code such as `NJ`; `""` when unknown. */
  region: string;
  /** Whether the country is a member of the European Union. */
  eu: boolean;
  /** `none`: the address is in no data. */
  source: "geoip" | "none";
};

export type Found = {
  located: Located;
  dataSet: RangeSource;
  /** Whether another data set names another country. */
  isDisputed: boolean;
};

/** The one source of locations. It never throws: what it cannot place is unknown. */
export type Geo = {
  locate(address: string): Located;
  /** Where an address is, and the data set that says so; for an address that is in no data, the first one. */
  find(address: string): Found;
  /** Every data set that answers, the first one first. */
  sources(): readonly RangeSource[];
};
