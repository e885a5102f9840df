import { expect, it } from "vitest";
import type { Answer } from "./call.ts";
import { createConformance } from "./conformance.ts";

const { problemOf } = createConformance("https://offers.test");
const answerOf = (status: number, text = ""): Answer => ({
  status,
  headers: { "request-id": "a", "content-type": "application/json" },
  text,
  json: () => JSON.parse(text),
  alike: text,
});

it.each([
  ["/healthz", answerOf(200), null],
  ["/healthz", answerOf(200, '{"status":"ok"}'), /no body/],
  ["/healthz", answerOf(302), /tellAlive 302 is not documented/],
  ["/v1/decision", answerOf(405), null],
  ["/v1/decision", answerOf(200), /HEAD .*decision is not documented/],
  ["/docs", answerOf(200), null],
])(
  "looks at an answer to HEAD %s, which is that to GET without a body where there is one",
  (path, answer, wanted) => {
    const problem = problemOf("HEAD", path, answer, false);
    if (wanted === null) expect(problem).toBeNull();
    else expect(problem).toMatch(wanted);
  },
);
