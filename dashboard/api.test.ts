import { expect, test } from "vitest";
import { csvLink, ifMatch, queryText, readExactly } from "./api.ts";

test("whole numbers beyond 2^53 keep all their digits, and no others change", () => {
  const read = readExactly(
    '{"spend":9007199254740993,"small":12,"share":0.1234567890123456789,"id":"9007199254740993"}',
  );
  expect(read).toEqual({
    spend: 9_007_199_254_740_993n,
    small: 12,
    share: 0.123_456_789_012_345_68,
    id: "9007199254740993",
  });
});

test("a query has what was said, and lists with commas", () => {
  expect(
    queryText({ by: ["date", "country"], empty: "", none: undefined, nil: null, no: false, list: [] }),
  ).toBe("by=date,country&no=false");
});

test("a file has the address of the same answer", () => {
  expect(csvLink("report", { publisher: "publisher_1", groupBy: ["date"] })).toBe(
    "/dash/api/report?publisher=publisher_1&groupBy=date&format=csv",
  );
});

test("a version is quoted, as HTTP wants it", () => {
  expect(ifMatch(12)).toEqual({ "if-match": '"12"' });
});
