import { callHeaders } from "@offers/contract/dash/call-headers";
import type { ParameterError, ProblemBody } from "@offers/contract/problem";
import type { ReportAnswer, ReportRow } from "@offers/contract/reports";
import ky, { HTTPError } from "ky";
import { isPasswordGiven } from "./ask-password.ts";
import { isUnattended } from "./last-use.ts";

/** Whole micro-units; above 2^53 - 1 they arrive as a bigint. */
export type Whole = number | bigint;

type Money<Row> = Omit<Row, "spend" | "earnings"> & { spend: Whole | null; earnings: Whole | null };
export type Row = Money<ReportRow>;
export type Totals = Money<ReportAnswer["totals"]>;

/** Answer of GET /dash/api/report: that of /v1/reports/aggregate. */
export type Report = {
  items: Row[];
  from: string;
  to: string;
  totals: Totals;
  totalsByCurrency: (Totals & { currency: string | null })[];
};

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** What the service refused, with a sentence for each field that is wrong. */
export class Refused extends Error {
  override readonly name: string = "Refused";
  /** 0: no answer came. */
  readonly status: number;
  readonly code: string;
  readonly errors: readonly ParameterError[];
  constructor(status: number, code: string, says: string, errors: readonly ParameterError[] = []) {
    super(says);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

/** Somebody else saved first (412): nothing was written. */
export class Conflict<Value = unknown> extends Refused {
  override readonly name = "Conflict";
  /** What this page wanted to write. */
  readonly mine: unknown;
  /** What stands there now, in the shape in which it is read; undefined where the answer does not say. */
  readonly theirs: Value | undefined;
  /** The version of what stands there: with it, the change is taken after all. */
  readonly version: number | null;
  readonly changedBy: string | null;
  /** In milliseconds since the epoch. */
  readonly changedAt: number | null;
  constructor(says: string, mine: unknown, answer: ConflictBody<Value>) {
    super(412, answer.code ?? "conflict", says);
    this.mine = mine;
    this.theirs = answer.current;
    this.version = answer.version ?? null;
    this.changedBy = answer.changedBy ?? null;
    this.changedAt = answer.changedAt ?? null;
  }
}

type ConflictBody<Value> = {
  code?: string;
  version?: number;
  current?: Value;
  changedBy?: string | null;
  changedAt?: number | null;
};

/** The account that the page is drawn for; null: it is not known yet. */
let account: number | null = null;

/** Has each further call say for whom it is made: once somebody else has signed in, it is answered as if nobody had. */
export function callFor(userId: number): void {
  account = userId;
}

const usualTimeoutMs = 20_000;

const service = ky.create({
  prefix: "/dash/api",
  timeout: usualTimeoutMs,
  retry: { limit: 1, methods: ["get"] },
  parseJson: readExactly,
  hooks: {
    beforeRequest: [
      ({ request: { headers } }) => {
        if (isUnattended()) headers.set(callHeaders.unattended, "1");
        if (account !== null) headers.set(callHeaders.account, String(account));
      },
    ],
  },
});

/** Reads an answer. `path` is below /dash/api, such as `me`. That a session has ended is a refusal, and leaves no page. */
export function ask<Answer>(path: string, query: Query = {}, signal?: AbortSignal): Promise<Answer> {
  return speaking({ isChange: false }, () =>
    service.get(path, { searchParams: queryText(query), ...(signal && { signal }) }).json<Answer>(),
  );
}

type Sending = {
  /** How long what is sent and its answer have together. */
  timeoutMs?: number;
  /** It is a question that takes a body, or keeps nothing that anybody has typed. */
  savesNothing?: boolean;
};

/**
 * Changes something, and answers with what the service says of it; undefined where it says nothing. `version` is the
 * `version` of the row that the page has read: where somebody has changed it since, this throws a `Conflict`.
 */
export function change<Answer = undefined>(
  method: "post" | "put" | "patch" | "delete",
  path: string,
  body?: unknown,
  version?: number | string,
  { timeoutMs = usualTimeoutMs, savesNothing = false }: Sending = {},
): Promise<Answer> {
  return speaking({ isChange: !savesNothing, body }, async () => {
    const answer = await service(path, {
      method,
      timeout: timeoutMs,
      ...(body !== undefined && { json: body }),
      ...(version !== undefined && { headers: ifMatch(version) }),
    });
    const text = await answer.text();
    return (text === "" ? undefined : readExactly(text)) as Answer;
  });
}

/** The header that lets a change through only where nobody else has changed the row. */
export function ifMatch(version: number | string): { "if-match": string } {
  return { "if-match": `"${version}"` };
}

/** The address under which the same answer is a CSV file. */
export function csvLink(path: string, query: Query = {}): string {
  return `/dash/api/${path}?${queryText({ ...query, format: "csv" })}`;
}

/** A query's text: lists with commas, and nothing for what is not said. */
export function queryText(query: Query): string {
  const said = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    if (Array.isArray(value) && value.length === 0) continue;
    said.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return said.toString().replaceAll("%2C", ",");
}

/** Sends to the sign-in, and back here afterwards. */
export function signInAgain(): void {
  location.assign(`/dash/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
}

/** JSON with whole numbers beyond 2^53 - 1 as bigints: sums of money have all their digits. */
export function readExactly(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, withSource as (key: string, value: unknown) => unknown);
}

/** Engines before 2025 pass no source: there the number stays rounded. */
const withSource = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
    ? BigInt(context?.source ?? 0)
    : value;

const sessionEnded = "Your session has ended. Sign in in another tab, then";
const mayBeSaved = "It may be saved all the same: look before you try again.";

async function speaking<Answer>(
  sent: { isChange: boolean; body?: unknown },
  speak: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await speak();
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === "AbortError") throw thrown;
    if (!(thrown instanceof HTTPError)) {
      throw new Refused(
        0,
        "unreachable",
        sent.isChange
          ? `No answer came. ${mayBeSaved}`
          : "The service was not reached. Is this machine online?",
      );
    }
    const { status } = thrown.response;
    if (status === 401) {
      throw new Refused(401, "unauthorized", `${sessionEnded} ${sent.isChange ? "save" : "try"} again.`);
    }
    const problem: Partial<ProblemBody> & ConflictBody<unknown> =
      typeof thrown.data === "object" && thrown.data !== null ? thrown.data : {};
    const code: string | undefined = problem.code;
    if (code === "sign_in_again" && (await isPasswordGiven())) return speaking(sent, speak);
    const says = problem.detail ?? problem.title ?? plainAnswer(status, sent.isChange);
    if (status === 412) throw new Conflict(says, sent.body, problem);
    throw new Refused(status, problem.code ?? "unknown", says, problem.errors);
  }
}

/** Of an answer that is none of the service's own, such as a proxy's that has waited for it in vain. */
const plainAnswer = (status: number, isChange: boolean): string =>
  `The service answered ${status}.${isChange && status >= 500 ? ` ${mayBeSaved}` : ""}`;
