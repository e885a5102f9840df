import type { SourceRanges } from "./range-maker.ts";

/** Location data as small as a running service takes it: what it knows for sure, and little else. */
export const rangesForTests: SourceRanges = {
  name: "below",
  date: "2026-01-01",
  version: "1",
  v4: [
    { first: 0x08080000, last: 0x0808ffff, place: { country: "US", region: "" } },
    { first: 0x4d400000, last: 0x4d40ffff, place: { country: "DE", region: "BE" } },
    { first: 0x51024500, last: 0x510245ff, place: { country: "GB", region: "" } },
  ],
  v6: [
    { first: 0x2003_0000_0000_0000n, last: 0x2003_0fff_ffff_ffffn, place: { country: "DE", region: "" } },
    { first: 0x2601_0600_0000_0000n, last: 0x2601_0600_ffff_ffffn, place: { country: "US", region: "" } },
  ],
};
