import {
  type DashErrorCode,
  dashErrorCodes,
  type ErrorCode,
  errorCodes,
  type ParameterError,
  type ProblemBody,
} from "@offers/contract/problem";
import type { RefusedCall } from "../core/refused-call.ts";
import { StorageUnavailable } from "../core/storage-unavailable.ts";
import { DeskRefusal } from "../desk/desk.ts";
import type { Answer, Call } from "./call.ts";
import type { Header } from "./head.ts";

const allCodes = { ...errorCodes, ...dashErrorCodes };

/** An answer that is an error: thrown by whatever finds it, written in one place. */
export class Problem extends Error {
  readonly code: ErrorCode | DashErrorCode;
  readonly status: number;
  readonly errors: readonly ParameterError[];
  /** What HTTP itself asks for beside the body: Allow, Retry-After, WWW-Authenticate. */
  readonly headers: readonly Header[];
  /** Further members of the document (RFC 9457 section 3.2). */
  readonly members: object;
  /** What the publisher may learn of it and the caller may not; null: nothing. */
  readonly refused: RefusedCall | null;

  /** @param detail tells the caller what to change. It never repeats what the caller sent. */
  constructor(
    code: ErrorCode | DashErrorCode,
    detail: string,
    more: {
      errors?: readonly ParameterError[];
      headers?: readonly Header[];
      members?: object;
      refused?: RefusedCall | null;
    } = {},
  ) {
    // Nobody reads where an answer was made, and noting it costs as much as the rest of a refusal.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "Problem";
    this.code = code;
    this.status = allCodes[code].status;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? [];
    this.members = more.members ?? {};
    this.refused = more.refused ?? null;
  }
}

/** The problem of parameters that are wrong, each with what to change. */
export function parameterProblem(code: ErrorCode, ...errors: readonly ParameterError[]): Problem {
  const detail = errors.map(({ parameter, message }) => `${parameter} ${message}`).join("; ");
  return new Problem(code, `${detail}.`, {
    errors: errors.map(({ parameter, message }) => ({ parameter, message })),
  });
}

/** Seconds after which a full queue is worth another try. */
const retrySeconds = 1;

export function unavailable(detail: string, afterSeconds = retrySeconds): Problem {
  return new Problem("unavailable", detail, { headers: [["Retry-After", String(afterSeconds)]] });
}

export function overloaded(afterSeconds = retrySeconds): Problem {
  return new Problem("overloaded", "Too many requests are waiting. Try again.", {
    headers: [["Retry-After", String(afterSeconds)]],
  });
}

/** Puts whatever was thrown on the way into the terms of the contract's list of codes. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StorageUnavailable) {
    return unavailable("This could not be read or stored now. Try again.", error.retryAfterSeconds);
  }
  if (error instanceof DeskRefusal) return refusedByDesk(error);
  if (isClientError(error)) return new Problem("malformed_request", "The request could not be read.");
  return new Problem("internal_error", "Something failed inside the service. The failure was logged.");
}

/** An id that is nobody's, and one that is somebody else's, are answered alike. */
export function unknownSubject(): Problem {
  return new Problem("not_found", "There is nothing of this id.");
}

/** Nobody, or nobody any more, is signed in on a page that calls. */
export function notSignedIn(): Problem {
  return new Problem("unauthorized", "Sign in first, at /dash/sign-in.");
}

const refusedByDesk = ({ refused }: DeskRefusal): Problem => {
  if (refused.kind === "unknown") return unknownSubject();
  if (refused.kind === "signed_out") return notSignedIn();
  if (refused.kind === "conflict") {
    const { kind: _, ...members } = refused;
    return new Problem(
      "version_conflict",
      "Somebody else has saved this meanwhile. Look at both, and save again.",
      {
        members,
      },
    );
  }
  return parameterProblem(
    "invalid_parameter",
    ...refused.problems.map(({ field, message }) => ({ parameter: field, message })),
  );
};

/** What Express throws for a request that it cannot read (the `http-errors` package). */
const isClientError = (error: unknown): boolean =>
  error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;

/** Where the codes are explained, each at an anchor of its name. */
export const explanationsPath = "/docs/errors";

/**
 * A problem as RFC 9457 has it. But for the id of the request in `instance`, equal refusals are equal to the byte:
 * nothing that is to be kept from a caller may show in them.
 */
export function problemAnswer(problem: Problem, baseUrl: string, { id }: Pick<Call, "id">): Answer {
  const body: Omit<ProblemBody, "code"> & Pick<Problem, "code"> = {
    type: `${baseUrl}${explanationsPath}#${problem.code}`,
    title: allCodes[problem.code].title,
    status: problem.status,
    detail: problem.message,
    instance: id,
    code: problem.code,
    ...(problem.errors.length > 0 && { errors: [...problem.errors] }),
    ...problem.members,
  };
  return {
    status: problem.status,
    headers: [...problem.headers.flat(), "Content-Type", "application/problem+json; charset=utf-8"],
    body: JSON.stringify(body),
    outcome: { kind: "refused", by: problem.code },
  };
}
