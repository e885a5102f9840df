import { expect, test } from "vitest";
import { curlText } from "./curl-text.ts";

test("the call names what was asked, and holds no key", () => {
  const asked = { from: "2026-10-24", to: "2026-11-22", groupBy: ["date", "country"], country: undefined };
  expect(curlText("https://offers.example/", "/v1/reports/aggregate", asked)).toBe(
    `curl -s 'https://offers.example/v1/reports/aggregate?from=2026-10-24&to=2026-11-22&groupBy=date,country' -H "Authorization: Bearer $KEY"`,
  );
});

test("a shell takes nothing out of the quotes, whatever a brand is called", () => {
  const text = curlText("https://offers.example", "/v1/reports/aggregate", {
    brand: `O'Neil & "Sons" $(id)`,
  });
  const quoted = /^curl -s '([^']*)' -H "Authorization: Bearer \$KEY"$/.exec(text)?.[1] ?? "";
  expect(new URL(quoted).searchParams.get("brand")).toBe(`O'Neil & "Sons" $(id)`);
});
