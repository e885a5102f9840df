import { expect, test } from "vitest";
import { otherHostNotice } from "./desk.ts";

const settings = {
  demoPort: 8788,
  demoOrigin: "http://localhost:8788",
  servicePort: 8787,
  serviceOrigin: "http://127.0.0.1:8787",
  secrets: { loan: "its_loan", preview: "its_preview" },
};

test("the registered name is no reason for a notice", () => {
  expect(otherHostNotice(settings, "localhost:8788")).toBe(null);
});

test.each(["127.0.0.1:8788", "[::1]:8788", "localhost", "", '"><script>'])(
  "%s is, and leads to the registered name without being repeated",
  (host) => {
    const notice = otherHostNotice(settings, host)?.html ?? "";
    expect(notice).toContain('<a href="http://localhost:8788/">');
    expect(notice).not.toContain("script");
  },
);
