import { expect, test } from "vitest";
import { blockedHostWarning } from "./blocked-host.ts";

test.each([
  ["https://affiliate.journal.example", true],
  ["https://affiliates.journal.example:8443", true],
  ["https://promo.journal.example", true],
  ["https://ads.journal.example", true],
  ["https://offers.journal.example", false],
  ["https://affiliated.journal.example", false],
  ["https://journal-ads.example", false],
  ["https://www.ads.example", false],
  ["http://127.0.0.1:8787", false],
  ["http://[::1]:8787", false],
])("%s is warned about: %s", (baseUrl, isWarned) => {
  const warning = blockedHostWarning(baseUrl);
  expect(warning !== null).toBe(isWarned);
  if (warning !== null) expect(warning).toContain(new URL(baseUrl).hostname);
});
