import { type ErrorCode, errorCodes, type ParameterError, type ProblemBody } from "@offers/contract/problem";

/** An answer that is an error: thrown by a guard, written by the one terminal handler. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly errors: readonly ParameterError[];
  /** What HTTP itself asks for beside the body: Allow, Retry-After, WWW-Authenticate. */
  readonly headers: Readonly<Record<string, string>>;

  /** @param detail tells the caller what to change. It never repeats what the caller sent. */
  constructor(
    code: ErrorCode,
    detail: string,
    more: { errors?: readonly ParameterError[]; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.name = "Problem";
    this.code = code;
    this.status = errorCodes[code].status;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
  }
}

/** The body of RFC 9457. It names no request, so that equal refusals are equal to the byte. */
export function problemBody(problem: Problem, baseUrl: string): ProblemBody {
  return {
    type: `${baseUrl}/problems/${problem.code}`,
    title: errorCodes[problem.code].title,
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    ...(problem.errors.length > 0 && { errors: [...problem.errors] }),
  };
}
