import { type Endpoint, endpoints } from "@offers/contract/endpoints";
import { type ErrorCode, errorCodes } from "@offers/contract/problem";
import {
  createDocument,
  type oas31,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
} from "zod-openapi";
import { answerSchemas, type Examples, goodAnswer, headers, problemAnswer } from "./openapi-answers.ts";
import recorded from "./openapi-examples.json" with { type: "json" };
import { type Operation, operations } from "./openapi-operations.ts";
import { explained, headerParameter } from "./openapi-parameters.ts";

/** Real answers, by operation, status and name. */
const examples: Readonly<Record<string, Readonly<Record<string, Examples>>>> = recorded;

export type OpenapiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of the whole service, made of the schemas that check its requests. */
export function createOpenapiDocument(baseUrl: string): OpenapiDocument {
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Affiliate Offer Service",
        version: "1",
        description: about,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: baseUrl }],
      tags: ["Decision", "Offers", "Events", "Reports", "Decline", "Click", "Diagnostics"].map((name) => ({
        name,
      })),
      paths: Object.fromEntries(
        Object.entries<Operation>(operations).map(([path, operation]) => [
          documentPath(path),
          pathItemOf(path, operation),
        ]),
      ),
      components: {
        schemas: answerSchemas,
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [
            name,
            { description, schema: { type: "string" as const } },
          ]),
        ),
        securitySchemes,
      },
    },
    {
      // An answer may gain a member within /v1, so no client may be told that it will not.
      override: ({ jsonSchema, io }) => {
        if (io === "output") delete jsonSchema.additionalProperties;
      },
    },
  );
  return withWords(document);
}

/** `/session/:sessionId` as OpenAPI writes it. */
const documentPath = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

/** Rows that share a path share its method, its body and its answers. */
const pathItemOf = (path: string, operation: Operation): Record<string, ZodOpenApiOperationObject> => {
  const rows: readonly Endpoint[] = endpoints.filter((endpoint) => endpoint.path === path);
  return Object.fromEntries(rows.map(({ method }) => [method.toLowerCase(), operationOf(operation, rows)]));
};

const operationOf = (operation: Operation, rows: readonly Endpoint[]): ZodOpenApiOperationObject => {
  const { id, tag, summary, description, query, path, body, problems = [] } = operation;
  const bodyTypes = rows.flatMap((row) => row.bodyTypes ?? []);
  const isLimited = rows.some(({ limit, isLimitSilent }) => limit !== null && !isLimitSilent);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    security: securityOf(rows),
    ...((query || path) && { requestParams: { ...(query && { query }), ...(path && { path }) } }),
    ...(operation.headers && { parameters: operation.headers.map(headerParameter) }),
    ...(body && {
      requestBody: {
        required: true,
        content: Object.fromEntries(bodyTypes.map((type) => [type, { schema: body }])),
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(operation.answers).map(([status, name]) => [
          status,
          goodAnswer(name, examplesOf(id, status), isLimited),
        ]),
      ),
      ...Object.fromEntries(
        [...codesByStatus([...rows.flatMap(problemsOf), ...problems])].map(([status, codes]) => [
          status,
          problemAnswer(codes, examplesOf(id, String(status))),
        ]),
      ),
    },
  };
};

type Security = NonNullable<ZodOpenApiObject["security"]>[number];

const pageSecurity: Security = { publicKey: [], websiteKey: [], origin: [] };

/** The credentials of the rows' callers, of servers first. */
const securityOf = (rows: readonly Endpoint[]): Security[] =>
  rows.toReversed().flatMap(({ group, scope, bodyTypes }): Security[] => {
    switch (group) {
      case "server":
        return [{ apiKey: scope === undefined ? [] : [scope] }];
      case "embed":
        // Where there is a body, the keys stand in it.
        return [bodyTypes ? { origin: [] } : pageSecurity];
      case "backend":
        return [{ integrationSecret: [] }, { integrationSecretHeader: [] }, {}];
      case "open":
        return [];
      default:
        return group satisfies never;
    }
  });

/** What can be wrong with any call of the row, whatever its route does. */
const problemsOf = ({ path, group, limit, isLimitSilent, scope, bodyTypes, load }: Endpoint): ErrorCode[] => {
  const problems: [boolean, ...ErrorCode[]][] = [
    [true, "malformed_request", "internal_error"],
    [load !== null, "unavailable", "overloaded"],
    [path.startsWith("/v1/"), "browser_not_allowed"],
    [group !== "open" || limit !== null, "unauthorized"],
    [group === "embed", "origin_not_allowed"],
    [scope !== undefined, "insufficient_scope"],
    [limit !== null && !isLimitSilent, "rate_limited"],
    [bodyTypes !== undefined, "invalid_body", "body_too_large", "unsupported_media_type"],
  ];
  return problems.flatMap(([isPossible, ...codes]) => (isPossible ? codes : []));
};

const examplesOf = (id: string, status: string): Examples => examples[id]?.[status] ?? {};

const codesByStatus = (codes: readonly ErrorCode[]): ReadonlyMap<number, ErrorCode[]> =>
  Map.groupBy(new Set(codes), (code) => errorCodes[code].status);

/** Names of the query get their meaning here, so that the schemas need not repeat it. */
const withWords = (document: OpenapiDocument): OpenapiDocument => {
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of [path.get, path.post]) {
      if (operation?.parameters === undefined) continue;
      operation.parameters = operation.parameters.map((parameter) =>
        "in" in parameter && parameter.in !== "header" ? explained(parameter) : parameter,
      );
    }
  }
  return document;
};

const securitySchemes = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "sk_<id>_<secret><checksum>",
    description:
      "An API key of the publisher, from a server and never from a browser. Scopes: decision:read, offers:read, events:write, reports:read.",
  },
  integrationSecret: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "its_…",
    description: "The website's integration secret, from its own server and never from a browser.",
  },
  integrationSecretHeader: {
    type: "apiKey",
    in: "header",
    name: "X-Integration-Secret",
    description: "The same secret, for a server that cannot set Authorization.",
  },
  publicKey: { type: "apiKey", in: "query", name: "pub", description: "The publisher's public key." },
  websiteKey: { type: "apiKey", in: "query", name: "website", description: "The website's key." },
  origin: {
    type: "apiKey",
    in: "header",
    name: "Origin",
    description: "Set by the browser: an origin that is registered for the website.",
  },
} as const satisfies Record<string, oas31.SecuritySchemeObject>;

const about = `Decides whether a visitor of a publisher's website is served an overlay of offers or passes through, hands out
ranked offers, records what happens to them, and reports it.

Two groups of callers share some paths. **Servers** send \`Authorization: Bearer <API key>\`. **Pages** send their public
key, their website's key and the browser's \`Origin\`. A call with an \`Authorization\` header is never treated as a page's.
The trigger of a decline session alone takes the website's integration secret, and no API key.

Every error is a problem document (RFC 9457) with a \`code\` out of a closed list. Another method than the listed ones is
405 \`method_not_allowed\` with \`Allow\`. Answers may gain members within /v1.`;
