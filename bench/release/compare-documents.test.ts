import { openWords } from "@offers/contract/open-word";
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

/** A document in which a call sends a member of this schema, and is answered another. */
const sending = (sent: object, answered: object = {}): ApiDocument =>
  documentOf({
    body: { properties: { ...body.properties, at: sent } },
    statuses: ["200"],
    visit: { properties: { ...visit.properties, at: answered } },
  });
const either = (...types: string[]) => ({ anyOf: types.map((type) => ({ type })) });
const text = { type: "string" };
const words = (...list: string[]) => ({ ...text, enum: list });
const open = (...list: string[]) => openWords(list);

test.each<[string, ApiDocument, ApiDocument, string[]]>([
  ["a form that may be sent and is new", sending(text), sending(either("string", "null")), []],
  [
    "one that may not be sent any more",
    sending(either("string", "null")),
    sending(text),
    ["POST /v1/visit: body.at has other forms"],
  ],
  [
    "the one that could be sent, for others",
    sending(text),
    sending(either("integer", "null")),
    ["POST /v1/visit: body.at has other forms"],
  ],
  [
    "one of several types",
    sending({ type: ["string", "null"] }),
    sending(text),
    ["POST /v1/visit: body.at has other forms"],
  ],
  ["whole numbers, for all of them", sending({ type: "integer" }), sending({ type: "number" }), []],
  ["a form that is not answered any more", sending({}, either("string", "null")), sending({}, text), []],
  [
    "an answer that may be of another form",
    sending({}, text),
    sending({}, either("string", "null")),
    ["POST /v1/visit: 200.at has other forms"],
  ],
  ["a word that may be sent and is new", sending(words("DE")), sending(words("DE", "US")), []],
  ["a new word of an open list", sending({}, open("DE")), sending({}, open("DE", "US")), []],
  [
    "one that is not in it any more",
    sending({}, open("DE", "US")),
    sending({}, open("DE")),
    ["POST /v1/visit: 200.at has lost US"],
  ],
  [
    "a new word of a closed one",
    sending({}, words("DE")),
    sending({}, words("DE", "US")),
    ["POST /v1/visit: 200.at may be US, and was a closed list"],
  ],
  [
    "a closed list that is none any more",
    sending({}, words("DE")),
    sending({}, text),
    ["POST /v1/visit: 200.at is no closed list any more"],
  ],
  [
    "a closed list that is marked as open",
    sending({}, words("DE")),
    sending({}, open("DE")),
    ["POST /v1/visit: 200.at is no closed list any more"],
  ],
  [
    "an open list without its mark",
    sending({}, open("DE")),
    sending({}, words("DE")),
    ["POST /v1/visit: 200.at is a closed list now"],
  ],
])("%s is told where it is a loss", (_, before, after, losses) => {
  expect(lossesBetween(before, after)).toEqual(losses);
});

test("of what is made of several parts each is compared", () => {
  const problem = (code: string[], title: object) =>
    sending(
      {},
      {
        allOf: [
          { type: "object", required: ["code"], properties: { code: text, title } },
          { properties: { code: { enum: code } } },
        ],
      },
    );
  const before = problem(["gone", "full"], text);
  expect(lossesBetween(before, before)).toEqual([]);
  expect(lossesBetween(before, problem(["gone"], text))).toEqual([
    "POST /v1/visit: 200.at.code has lost full",
  ]);
  expect(lossesBetween(before, problem(["gone", "full"], { type: "integer" }))).toEqual([
    "POST /v1/visit: 200.at.title was string and is integer",
  ]);
});
