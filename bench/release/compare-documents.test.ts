import { expect, test } from "vitest";
import { type ApiDocument, lossesBetween } from "./compare-documents.ts";

const visit = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string" },
    place: { enum: ["DE", "US"] },
    more: { $ref: "#/components/schemas/More" },
  },
};
const more = {
  type: "object",
  properties: { again: { $ref: "#/components/schemas/More" }, at: { type: "integer" } },
};
const body = { type: "object", required: ["id"], properties: { id: { type: "string", maxLength: 64 } } };

type Changes = {
  visit?: object;
  more?: object;
  body?: object;
  statuses?: readonly string[];
  parameters?: ApiDocument["paths"][string][string]["parameters"];
  paths?: ApiDocument["paths"];
};

const documentOf = (changes: Changes = {}): ApiDocument => {
  const schema = { ...visit, ...changes.visit };
  const answers = (changes.statuses ?? ["200", "404"]).map((status) => [
    status,
    { content: { "application/json": { schema } } },
  ]);
  const post = {
    parameters: changes.parameters ?? [
      { name: "page", in: "query", schema: { type: "integer", maximum: 100 } },
    ],
    requestBody: {
      required: true,
      content: { "application/json": { schema: { ...body, ...changes.body } } },
    },
    responses: Object.fromEntries(answers),
  };
  return {
    paths: changes.paths ?? { "/v1/visit": { post } },
    components: { schemas: { More: { ...more, ...changes.more } } },
  };
};

const page = { name: "page", in: "query" };

test.each<[string, Changes, string[]]>([
  ["nothing", {}, []],
  ["a new status", { statuses: ["200", "404", "503"] }, []],
  ["a new member, and a new word of a request", { body: { properties: { ...body.properties, x: {} } } }, []],
  ["a wider range", { parameters: [{ ...page, schema: { type: "integer", maximum: 500 } }] }, []],
  ["an endpoint", { paths: {} }, ["POST /v1/visit is gone"]],
  ["a status", { statuses: ["200"] }, ["POST /v1/visit: 404 is gone"]],
  ["a parameter", { parameters: [] }, ["POST /v1/visit: query page is gone"]],
  [
    "the choice to leave a parameter out",
    { parameters: [{ ...page, required: true }] },
    ["POST /v1/visit: query page must be given"],
  ],
  [
    "room in a parameter",
    { parameters: [{ ...page, schema: { type: "integer", maximum: 50 } }] },
    ["POST /v1/visit: query page: maximum is 50 and was 100"],
  ],
  [
    "the choice to leave a member out",
    { body: { required: ["id", "at"], properties: { ...body.properties, at: {} } } },
    ["POST /v1/visit: body.at must be given"],
  ],
  [
    "a member of an answer",
    {
      statuses: ["200", "404"],
      visit: { properties: { id: visit.properties.id, more: visit.properties.more } },
    },
    ["POST /v1/visit: 200.place is gone", "POST /v1/visit: 404.place is gone"],
  ],
  [
    "a member that was always there",
    { visit: { required: [] } },
    ["200", "404"].map((status) => `POST /v1/visit: ${status}.id may be left out`),
  ],
  [
    "a word",
    { visit: { properties: { ...visit.properties, place: { enum: ["DE"] } } } },
    ["200", "404"].map((status) => `POST /v1/visit: ${status}.place has lost US`),
  ],
  [
    "a type behind a reference",
    { more: { properties: { ...more.properties, at: { type: "string" } } } },
    ["200", "404"].map((status) => `POST /v1/visit: ${status}.more.at was integer and is string`),
  ],
])("of a later document callers lose %s", (_, changes, losses) => {
  expect(lossesBetween(documentOf(), documentOf(changes))).toEqual(losses);
});

test("one of several forms that is gone is a loss, and a new one is none", () => {
  const forms = (...types: string[]) =>
    documentOf({
      visit: { properties: { ...visit.properties, id: { anyOf: types.map((type) => ({ type })) } } },
    });
  const lost = ["200", "404"].map((status) => `POST /v1/visit: ${status}.id has lost one of its forms`);
  expect(lossesBetween(forms("string", "null"), forms("string"))).toEqual(lost);
  expect(lossesBetween(forms("string"), forms("string", "null"))).toEqual([]);
});
