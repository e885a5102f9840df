import { readFileSync, writeFileSync } from "node:fs";
import { triggerBody } from "@offers/contract/decline";
import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import { openMark } from "@offers/contract/open-word";
import { errorCodes } from "@offers/contract/problem";
import {
  blockReasons,
  emptyReasons,
  eventMarks,
  hiddenReasons,
  refusalReasons,
  removalReasons,
} from "@offers/contract/words";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRateLimits } from "../http/rate-limits.ts";
import { recordExamples } from "../testing/example-calls.ts";
import { baseUrl, startTestService, type TestService } from "../testing/test-service.ts";
import { createOpenapiDocument, type OpenapiDocument } from "./openapi-document.ts";
import { operations } from "./openapi-operations.ts";

const file = new URL("./openapi-examples.json", import.meta.url);

const document = createOpenapiDocument("https://offers.test");
const forServers = createOpenapiDocument("https://offers.test", "server");

const operationsOf = ({ paths = {} }: OpenapiDocument) =>
  Object.entries(paths).flatMap(([path, { get, post }]) =>
    [get, post].flatMap((operation) => (operation === undefined ? [] : [{ path, ...operation }])),
  );

/** What of a schema these tests look at. */
type Schema = {
  $ref?: string;
  description?: string;
  pattern?: string;
  default?: unknown;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  type?: string | string[];
  anyOf?: Schema[];
  format?: string;
  maximum?: number;
};
const schemasOf = (document: OpenapiDocument): Record<string, Schema> =>
  JSON.parse(JSON.stringify(document.components?.schemas));
const membersOf = (document: OpenapiDocument, name: string): Record<string, Schema> =>
  schemasOf(document)[name]?.properties ?? {};

describe.each([
  ["the OpenAPI document", document],
  ["the OpenAPI document for servers", forServers],
])("%s", (_name, document) => {
  it("is valid in the eyes of an independent validator", async () => {
    const copy = JSON.parse(JSON.stringify(document));
    const verdict = await new Validator().validate(copy);
    expect(verdict.errors).toBeUndefined();
    expect(verdict.valid).toBe(true);
  });

  it("has an id of its own for each operation, a meaning for each parameter, and no unexplained answer", () => {
    const all = operationsOf(document);
    const ids = all.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { parameters = [], responses = {} } of all) {
      for (const parameter of parameters) expect(parameter).toHaveProperty("description");
      for (const response of Object.values(responses)) expect(response.description).not.toBe("");
    }
  });

  it("has a meaning for each member of whatever is sent or answered, or of the shape that it has", () => {
    const schemas = schemasOf(document);
    const meaningOf = ({ description, $ref = "" }: Schema) =>
      description ?? schemas[$ref.replace("#/components/schemas/", "")]?.description;
    const members = membersWithin("", schemas);
    expect(members.length).toBeGreaterThan(100);
    expect(members.filter(([, member]) => !meaningOf(member)).map(([name]) => name)).toEqual([]);
    // Once: a parameter's schema does not repeat what the parameter means.
    for (const { parameters = [] } of operationsOf(document))
      for (const parameter of parameters) expect(parameter).not.toHaveProperty("schema.description");
  });

  it("names the unit of whatever is money or a duration", () => {
    const members = membersWithin("", schemasOf(document));
    const money = members.filter(([name]) => /\.(?:spend|earnings)$/.test(name));
    expect(money.length).toBe(6);
    for (const [name, { description }] of money)
      expect(description, name).toMatch(/micro-units \(millionths\)/);
    for (const [name, { description }] of members.filter(([name]) => name.endsWith("Ms")))
      expect(description, name).toMatch(/milliseconds/i);
  });

  it("says of each whole number that may have more than 32 bits, in which a typed client would keep it, that it may", () => {
    const members = membersWithin("", schemasOf(document));
    const numbers = members
      .flatMap(([name, member]) => [member, ...(member.anyOf ?? [])].map((each) => [name, each] as const))
      .filter(([, { type }]) => [type].flat().includes("integer"));
    expect(numbers.length).toBeGreaterThan(30);
    for (const [name, { format, maximum = Infinity }] of numbers)
      expect([name, format], name).toEqual([name, maximum < 2 ** 31 ? undefined : "int64"]);
    const ofReports = numbers.filter(([name]) => /^\.(Report|Currency)/.test(name));
    expect(ofReports.filter(([, { format }]) => format === "int64").length).toBe(27);
  });

  it("counts visits as blocked, by their verdict, and neither visitors nor overlays", () => {
    const told = membersWithin("", schemasOf(document)).filter(([name]) => name.endsWith(".blocked"));
    const ofReports = told.filter(([name]) => /^\.(Report|Currency)/.test(name));
    expect(ofReports.length).toBe(3);
    for (const [name, { description }] of ofReports)
      expect(description, name).toMatch(
        /^Visits that were blocked, whether or not an overlay opened.*may make many/,
      );
  });

  it("says that a billed click may cost nothing, and what of a currency's sums depends on the grouping", () => {
    const members = membersWithin("", schemasOf(document));
    const meaningsOf = (end: string) =>
      members.flatMap(([name, { description }]) => (name.endsWith(end) ? [description] : []));
    expect(meaningsOf(".billableClicks").length).toBe(3);
    for (const meaning of meaningsOf(".billableClicks")) expect(meaning).toMatch(/were billed.*may be 0/);
    expect(meaningsOf(".totalsByCurrency")).toEqual([expect.stringMatching(/Only money.*group by `offer`/)]);
  });

  it("says of a server's offers which websites and which place they are of, and how long a page holds", () => {
    const meaningOf = (wanted: string) =>
      operationsOf(document)
        .filter(({ operationId }) => operationId === "listOffers")
        .flatMap(({ parameters = [] }) => parameters)
        .find((parameter) => "name" in parameter && parameter.name === wanted)?.description;
    expect(meaningOf("website")).toMatch(/Left out: what any website/);
    expect(meaningOf("ip")).toMatch(/without `country`.*caller's own.*`requestId` the decision's place/);
    expect(meaningOf("page")).toMatch(/of the moment/);
    expect(meaningOf("brand")).toMatch(/whatever its letters' case/);
  });

  it("has no credential that a client would send in an address or as a header of its own", () => {
    const schemes = Object.values(document.components?.securitySchemes ?? {});
    expect(schemes.map((scheme) => "type" in scheme && [scheme.type, scheme.scheme])).toEqual([
      ["http", "bearer"],
      // Which is a bearer's token as well (RFC 6750).
      ["oauth2", undefined],
      ["http", "bearer"],
    ]);
  });

  it("says of each answer how it is traced, and of each problem what it is and whether to try again", () => {
    for (const { operationId, responses = {} } of operationsOf(document)) {
      for (const [status, response] of Object.entries(responses)) {
        const where = `${operationId} ${status}`;
        expect(response.headers, where).toHaveProperty("Request-Id");
        const isConditional = where === "reportEvent 503";
        const mark = response["x-retryable"] ?? response["x-retryable-with"];
        const marks = isConditional ? ["Idempotency-Key", "requestId"] : true;
        expect(mark, where).toEqual(["429", "503"].includes(status) ? marks : undefined);
        if (status === "default") {
          const schema = { $ref: "#/components/schemas/Problem" };
          expect(response.content?.["application/problem+json"]).toEqual({ schema });
          continue;
        }
        if (Number(status) < 400) continue;
        expect(response.content?.["application/problem+json"]?.schema, where).toMatchObject({
          allOf: [{}, { required: ["status", "code"], properties: { status: { const: Number(status) } } }],
        });
      }
    }
  });

  it("promises where a caller stands with each good answer of a limited route, and with no refusal that comes before", () => {
    const rows: readonly Endpoint[] = endpoints;
    for (const { path, operationId, responses = {} } of operationsOf(document)) {
      const here = rows.filter(({ path: own }) => own.replace(/:(\w+)/g, "{$1}") === path);
      const isLimited = here.some(({ limit, isLimitSilent }) => limit !== null && !isLimitSilent);
      const hasKey = here.some(({ group }) => group === "server");
      const hasSecret = here.some(({ group }) => group === "backend");
      expect(Object.keys(responses), operationId).toContain("default");
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const isEarly =
          status === "401" ||
          status === "default" ||
          (!hasKey && ["403", "413", "415"].includes(status)) ||
          (!hasKey && !hasSecret && status === "400");
        expect("RateLimit" in headers, `${operationId} ${status}`).toBe(isLimited && !isEarly);
      }
    }
  });

  it("says dates, times and addresses by the name of their format, and bounds every text and list that is sent", () => {
    for (const format of ["date", "date-time", "ipv4", "ipv6"]) {
      const told = JSON.stringify(document).match(new RegExp(`\\{[^{}]*"format":"${format}"[^{}]*\\}`, "g"));
      expect(told, format).not.toBeNull();
      expect(told?.join(), format).not.toContain("pattern");
    }
    const sent = operationsOf(document).flatMap(({ parameters = [] }) => parameters);
    const bodies = ["EventReport", "Trigger"].map((name) => document.components?.schemas?.[name]);
    expect(unbounded([sent, bodies])).toEqual([]);
  });

  it("says what a server trips over: times are of UTC, and the region of a report is whole", () => {
    expect(document.components?.schemas?.EventReport).toMatchObject({
      properties: { ts: { description: expect.stringMatching(/in UTC.*`Z` or `\+00:00`/) } },
    });
    const region = operationsOf(document)
      .filter(({ operationId }) => operationId === "readReport")
      .flatMap(({ parameters = [] }) => parameters)
      .find((parameter) => "name" in parameter && parameter.name === "region");
    expect(region?.description).toMatch(/exactly this region.*`US-NJ`/);
  });

  it("says what a trigger protects a visitor by, and which verticals it takes", () => {
    const { reason, suppressVerticals } = membersOf(document, "Trigger");
    expect(reason?.description).toMatch(
      /`self_excluded`, `self_exclusion` and `underage`.*gambling, trading and loan/,
    );
    expect(suppressVerticals?.description).toMatch(/no offer/);
    const taken = (vertical: string) =>
      triggerBody.safeParse({ sessionId: "dcl_a", suppressVerticals: [vertical] });
    const named = new RegExp(String(suppressVerticals?.items?.pattern));
    for (const vertical of ["sports-betting", "Loans", "p2p_lenders", "9", "a".repeat(40)]) {
      expect([vertical, named.test(vertical), taken(vertical).success]).toEqual([vertical, true, true]);
    }
    for (const vertical of ["Sports Betting", "", "-a", "a".repeat(41)]) {
      expect([vertical, named.test(vertical), taken(vertical).success]).toEqual([vertical, false, false]);
    }
  });

  it("marks the lists that may gain words, no others, and names the members that have them", () => {
    const open = new Set<string>([
      ...[
        ...blockReasons,
        ...hiddenReasons,
        ...emptyReasons,
        ...removalReasons,
        ...refusalReasons,
        ...eventMarks,
      ],
      ...Object.keys(errorCodes),
    ]);
    const lists = enumsOf(JSON.parse(JSON.stringify(document)));
    expect(lists.filter(({ mark }) => mark).length).toBeGreaterThan(10);
    // By the list itself, which is what tools read there.
    for (const { words, mark } of lists)
      expect(mark, String(words)).toEqual(words.every((word) => open.has(word)) ? words : undefined);
    const marked = membersWithin("", JSON.parse(JSON.stringify(document)))
      .filter(([, { properties, items, ...own }]) => enumsOf(own).some(({ mark }) => mark))
      .map(([name]) => name.split(".").at(-1));
    expect(namedAsOpen(document.info.description).toSorted()).toEqual([...new Set(marked)].toSorted());
    expect(document.info.description).not.toContain("closed list");
  });

  it("shows of each body that is sent one that is good, in whose place /docs would make one up", () => {
    const plain: Plain = JSON.parse(JSON.stringify(document));
    const isValid = validatorOf(plain);
    const bodies = Object.entries(plain.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        Object.entries(requestBody?.content ?? {}).map(([type, { examples = {} }]) => ({
          steps: ["paths", path, method, "requestBody", "content", type, "schema"],
          values: Object.values(examples).map(({ value }) => value),
        })),
      ),
    );
    expect(bodies.length).toBeGreaterThan(1);
    for (const { steps, values } of bodies) {
      expect([steps, values.length > 0]).toEqual([steps, true]);
      for (const value of values) expect([steps, isValid(steps, value)]).toEqual([steps, true]);
    }
  });

  it("lets answers through that have words of tomorrow, wherever a list may grow", () => {
    const plain: Plain = JSON.parse(JSON.stringify(document));
    const isValid = validatorOf(plain);
    const lists = openListsWithin([], plain);
    expect(lists.length).toBeGreaterThan(20);
    for (const { steps, words } of lists) {
      for (const word of [...words, "of_tomorrow"])
        expect([steps, word, isValid(steps, word)]).toEqual([steps, word, true]);
      expect([steps, isValid(steps, 1)]).toEqual([steps, false]);
    }
    const open = namedAsOpen(document.info.description);
    const changed = new Set<string>();
    const later = (name: string, value: unknown): unknown => {
      if (!open.includes(name) || (typeof value !== "string" && value !== null)) return value;
      changed.add(name);
      return "of_tomorrow";
    };
    for (const [path, methods] of Object.entries(plain.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        for (const [status, { content = {} }] of Object.entries(responses)) {
          for (const [type, { examples = {} }] of Object.entries(content)) {
            const steps = ["paths", path, method, "responses", status, "content", type, "schema"];
            for (const { value } of Object.values(examples)) {
              const answer = JSON.parse(JSON.stringify(value), later);
              expect([steps, isValid(steps, answer)]).toEqual([steps, true]);
            }
          }
        }
      }
    }
    // The overlay is hidden from no visitor of the examples.
    expect([...changed].toSorted()).toEqual(open.filter((name) => name !== "hidden").toSorted());
  });

  it.each([
    ["Explanation.now.reason", /null: it does, or .* declined/],
    ["Explanation.decision.geo.source", /null: none did, or the operator's own/],
    ["Explanation.decision.geo.date", /null: no data set located the visitor/],
    ["Explanation.decision.geo.ageDays", /null: no data set located the visitor/],
    ["ParameterError.parameter", /the header/],
    ["ReportTotals.spend", /null where .*currencies, where the operator .*, and where there is no website/],
    ["ReportRow.spend", /null where the operator does not tell it\. /],
    ["CurrencyTotals.spend", /null where the operator does not tell it\. /],
  ])("says all of what %s may be", (name, meaning) => {
    const found = membersWithin("", schemasOf(document)).filter(
      ([way]) => way.replace(/\.anyOf\.\d+/g, "") === `.${name}`,
    );
    expect(found.map(([, { description }]) => description)).toEqual([expect.stringMatching(meaning)]);
  });

  it("says what a country narrows a server's offers down to", () => {
    const country = operationsOf(document)
      .filter(({ operationId }) => operationId === "listOffers")
      .flatMap(({ parameters = [] }) => parameters)
      .find((parameter) => "name" in parameter && parameter.name === "country");
    expect(country?.description).toMatch(
      /offered in this country, its region unknown.*`requestId` the decision's place counts/,
    );
  });

  it("describes every tag that it uses, and no other", () => {
    const used = new Set(operationsOf(document).flatMap(({ tags = [] }) => tags));
    expect(new Set(document.tags?.map(({ name }) => name))).toEqual(used);
    expect(document.tags?.every(({ description }) => description)).toBe(true);
  });
});

/** Every member of an object, however deep, by its way. */
const membersWithin = (way: string, part: unknown): [name: string, member: Schema][] => {
  if (typeof part !== "object" || part === null) return [];
  const properties: Record<string, Schema> = "properties" in part ? Object(part.properties) : {};
  const own = Object.entries(properties).map(([name, member]): [string, Schema] => [
    `${way}.${name}`,
    member,
  ]);
  const within = Object.entries(part).flatMap(([name, one]) =>
    membersWithin(name === "properties" ? way : `${way}.${name}`, one),
  );
  return [...own, ...within];
};

/** Every list of words, wherever it stands, and by what it, or the choice that it is of, is marked as one that may grow. */
const enumsOf = (part: unknown, marked?: unknown): { words: string[]; mark: unknown }[] => {
  if (typeof part !== "object" || part === null) return [];
  const mark = openMark in part ? part[openMark] : undefined;
  const own =
    "enum" in part && Array.isArray(part.enum) ? [{ words: part.enum.map(String), mark: marked }] : [];
  return [
    ...own,
    ...Object.entries(part).flatMap(([name, one]) =>
      name === "anyOf" && Array.isArray(one) ? one.flatMap((each) => enumsOf(each, mark)) : enumsOf(one),
    ),
  ];
};

/** The document as it is sent, as far as its examples. */
type Plain = { paths: Record<string, Record<string, PlainOperation>> };
type PlainOperation = {
  responses: Record<string, { content?: Contents }>;
  requestBody?: { content: Contents };
};
type Contents = Record<string, { examples?: Record<string, { value: unknown }> }>;

/** Whether a value is what the schema is for to which these steps lead. */
const validatorOf = (plain: Plain): ((steps: readonly string[], value: unknown) => boolean) => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, unicodeRegExp: true });
  ajv.addSchema({ $id: "document", ...plain });
  return (steps, value) => {
    const pointer = steps.map((step) => encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1")));
    return ajv.validate({ $ref: `document#/${pointer.join("/")}` }, value);
  };
};

/** Every list that is marked as one that may grow, by the steps to it and with its words. */
const openListsWithin = (
  steps: readonly string[],
  part: unknown,
): { steps: readonly string[]; words: string[] }[] => {
  if (typeof part !== "object" || part === null) return [];
  const own =
    openMark in part && Array.isArray(part[openMark]) ? [{ steps, words: part[openMark].map(String) }] : [];
  return [...own, ...Object.entries(part).flatMap(([name, one]) => openListsWithin([...steps, name], one))];
};

/** The members that a text calls open lists. */
const namedAsOpen = (text = ""): string[] =>
  [...(/`x-extensible-enum`[^:]*:([^.]*)\./.exec(text)?.[1]?.matchAll(/`(\w+)`/g) ?? [])].map(
    ([, name = ""]) => name,
  );

/** Texts and lists without an end. */
const unbounded = (part: unknown): unknown[] => {
  if (typeof part !== "object" || part === null) return [];
  const { type, maxLength, maxItems, format, enum: words, const: word } = part as Record<string, unknown>;
  const isOpen =
    (type === "string" && (maxLength ?? format ?? words ?? word) === undefined) ||
    (type === "array" && maxItems === undefined);
  return [...(isOpen ? [part] : []), ...Object.values(part).flatMap(unbounded)];
};

const pageOf = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

it("the page on releases names the same open lists as the document", () => {
  const named = namedAsOpen(pageOf("releases"));
  expect(named).toEqual(namedAsOpen(document.info.description));
  expect(named).toContain("hidden");
  expect(pageOf("releases")).not.toContain("closed list");
});

it("the page for those who embed says what protects a visitor", () => {
  const page = pageOf("embed");
  for (const word of ["self_excluded", "self_exclusion", "underage", "suppressVerticals"])
    expect(page).toContain(`\`${word}\``);
});

describe("the whole document", () => {
  it("says of a widget's settings that those always come which do, and of no answer what is taken in place of a member", () => {
    const { WidgetSettings, ...others } = schemasOf(document);
    expect(WidgetSettings?.required).toEqual([
      "theme",
      "language",
      "trigger",
      "placement",
      "frequency",
      "show",
    ]);
    const sent = JSON.stringify(operationsOf(document).map(({ requestBody }) => requestBody));
    const ofAnswers = Object.entries({ WidgetSettings, ...others }).filter(
      ([name]) => !sent.includes(`"#/components/schemas/${name}"`),
    );
    expect(ofAnswers.length).toBeGreaterThan(30);
    for (const [name, schema] of ofAnswers) expect(JSON.stringify(schema), name).not.toContain('"default"');
  });

  it("names every error code of the contract, but those that no route answers with", () => {
    const named = new Set(JSON.stringify(document.paths).match(/(?<=`)\w+(?=`: )/g));
    const missing = Object.keys(errorCodes).filter((code) => !named.has(code));
    expect(missing.sort()).toEqual([
      "conflict",
      "headers_too_large",
      "method_not_allowed",
      "request_timeout",
    ]);
  });

  it("says that what a page's overlay says comes with a verdict that blocks alone", () => {
    expect(schemasOf(document).BlockedExperience?.description).toMatch(/only where `allowed` is false/);
  });

  it("names with Global Privacy Control the older header that is heeded as well", () => {
    const signals = operationsOf(document)
      .flatMap(({ parameters = [] }) => parameters)
      .filter((parameter) => "name" in parameter && parameter.name === "Sec-GPC");
    expect(signals).not.toEqual([]);
    for (const signal of signals) expect(signal.description).toContain("`DNT: 1`");
  });

  it("tells servers to pass their visitors' Global Privacy Control on", () => {
    for (const one of [document, forServers]) {
      const decide = operationsOf(one).find(({ operationId }) => operationId === "decide");
      const signal = decide?.parameters?.find(
        (parameter) => "name" in parameter && parameter.name === "Sec-GPC",
      );
      expect(signal?.description).toContain("a server passes on which of the two their browser has sent it");
    }
  });

  it("says which other methods are answered, and where", () => {
    const rows: readonly Endpoint[] = endpoints;
    const paths = rows.filter(({ hasHead }) => hasHead).map(({ path }) => `\`${path}\``);
    expect(paths.length).toBeGreaterThan(3);
    expect(document.info.description).toMatch(/OPTIONS, which is 204/);
    expect(document.info.description).toContain(
      `HEAD where it is answered as GET is, without a body:\n${paths.join(", ")}.`,
    );
  });

  it("calls a country a hint where a visitor is located by it, and nowhere else", () => {
    const meaningOf = (id: string, name: string) => {
      const parameters = operationsOf(document).find(({ operationId }) => operationId === id)?.parameters;
      return parameters?.find((parameter) => "name" in parameter && parameter.name === name)?.description;
    };
    for (const id of ["decide", "openSession"]) {
      expect(meaningOf(id, "country"), id).toMatch(/hint, which never overrides/);
      expect(meaningOf(id, "region"), id).toMatch(/hint/);
    }
    expect(meaningOf("listOffers", "country")).toMatch(/decision's place.*`geo_mismatch`.*With an API key/);
    for (const id of ["listOffers", "readReport", "readReportAsCsv"]) {
      for (const name of ["country", "region"])
        expect(meaningOf(id, name), `${id} ${name}`).toMatch(/^(?!.*hint).+$/);
    }
  });

  it("asks a page for its keys and origin as parameters, and for no public key where it fetches offers", () => {
    const namesOf = (path: string) =>
      operationsOf(document)
        .find((operation) => operation.path === path)
        ?.parameters?.map((parameter) => ("name" in parameter ? parameter.name : ""));
    expect(namesOf("/v1/decision")).toEqual(expect.arrayContaining(["pub", "website", "Origin"]));
    expect(namesOf("/v1/offers")).toEqual(expect.arrayContaining(["website", "requestId", "Origin"]));
    expect(namesOf("/v1/offers")).not.toContain("pub");
    expect(namesOf("/v1/events/click")).toEqual(expect.arrayContaining(["pub", "website", "Origin"]));
  });
});

describe("the document for servers", () => {
  it("has what servers call, with one shape for each answer, and nothing of pages", () => {
    const ofServers = endpoints.filter(({ group }) => group === "server" || group === "backend");
    const sorted = (all: readonly { path: string }[]) => all.map(({ path }) => path).toSorted();
    expect(sorted(operationsOf(forServers))).toEqual(sorted(ofServers));
    for (const { operationId, parameters = [], responses = {} } of operationsOf(forServers)) {
      const types = Object.keys(responses["200"]?.content ?? {});
      expect([operationId, types]).toEqual([
        operationId,
        [operationId === "readReportAsCsv" ? "text/csv" : "application/json"],
      ]);
      const names = parameters.map((parameter) => ("name" in parameter ? parameter.name : ""));
      const ofPages = ["pub", "Origin", "mode", "format", "dev-country"];
      expect(names.filter((name) => ofPages.includes(name))).toEqual([]);
    }
    expect(forServers.info.description).not.toMatch(/`hidden`|`show`/);
    const text = JSON.stringify(forServers.paths);
    expect(text).not.toMatch(/oneOf|a page's|origin_not_allowed|"(?:Decision|Offers)"[:}]/);
  });
});

describe("GET /v1/openapi.json and its examples", () => {
  let service: TestService;
  let seen: Awaited<ReturnType<typeof recordExamples>>;
  beforeAll(async () => {
    // The real limits: one of the examples is what a caller above them gets.
    service = await startTestService({ rateLimits: createRateLimits(1) });
    seen = await recordExamples(service);
    if (process.env.RECORD_EXAMPLES) writeFileSync(file, `${JSON.stringify(seen, null, 2)}\n`);
  });
  afterAll(() => service.close());

  it("stand in what GET /v1/openapi.json answers, to any origin", async () => {
    const answer = await service.call("/v1/openapi.json", { origin: "https://tools.example" });
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe("*");
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(createOpenapiDocument(baseUrl))));
    const part = await service.call("/v1/openapi.json?group=server", { origin: null });
    expect(part.json()).toEqual(JSON.parse(JSON.stringify(createOpenapiDocument(baseUrl, "server"))));
    expect((await service.call("/v1/openapi.json?group=page", { origin: null })).status).toBe(400);
  });

  it("are what the service really answers, but for random ids (RECORD_EXAMPLES=1 writes them anew)", () => {
    expect(masked(JSON.stringify(seen))).toEqual(masked(readFileSync(file, "utf8")));
  });

  it("show every good answer that has a body, and every problem that can be provoked from outside", () => {
    const shown = new Set(
      Object.values(seen).flatMap((byStatus) => Object.values(byStatus).flatMap((one) => Object.keys(one))),
    );
    const hidden = Object.keys(errorCodes).filter((code) => !shown.has(code));
    expect(hidden.sort()).toEqual([
      "conflict",
      "headers_too_large",
      "internal_error",
      "method_not_allowed",
      "offer_gone",
      "overloaded",
      "request_timeout",
      "unavailable",
    ]);
    for (const { id, answers } of Object.values(operations)) {
      for (const [status, name] of Object.entries<string>(answers)) {
        if (["recorded", "redirect", "pausedPage", "openapi"].includes(name)) continue;
        expect(seen[id]?.[status], `${id} ${status}`).toBeDefined();
      }
    }
  });
});

/** Ids, tokens and sealed requests differ from run to run. */
const masked = (text: string): unknown =>
  JSON.parse(
    text
      .replace(/\b(req|evt|dcl)_[\w-]{20,}/g, "$1_")
      .replace(/\?t=[\w-]+/g, "?t=")
      .replace(/("instance": ?)"[\w-]+"/g, '$1""')
      // Each engine numbers them in its own way.
      .replace(/("ratesVersion": ?)\d+/g, "$10"),
  );
