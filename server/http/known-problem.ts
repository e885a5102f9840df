import { JournalUnavailable } from "../store/journal/journal.ts";
import { Problem } from "./problem.ts";

/** Seconds after which a full queue is worth another try. */
const retrySeconds = 1;

/** Puts whatever was thrown on the way into the terms of the contract's closed list of codes. */
export function knownProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof JournalUnavailable) {
    return unavailable("The event could not be stored. Try again.", error.retryAfterSeconds);
  }
  if (isHttpError(error)) return fromHttpError(error);
  return new Problem("internal_error", "Something failed inside the service. The failure was logged.");
}

export function unavailable(detail: string, afterSeconds = retrySeconds): Problem {
  return new Problem("unavailable", detail, { headers: { "Retry-After": String(afterSeconds) } });
}

export function overloaded(): Problem {
  return new Problem("overloaded", "Too many requests are waiting. Try again.", {
    headers: { "Retry-After": String(retrySeconds) },
  });
}

/** What Express and its body parser throw (the `http-errors` package). */
type HttpError = { status: number; type?: string };

const isHttpError = (error: unknown): error is HttpError =>
  error instanceof Error && "status" in error && typeof error.status === "number" && error.status < 500;

const fromHttpError = ({ status, type }: HttpError): Problem => {
  if (status === 413) return new Problem("body_too_large", "The body must be at most 16 KiB.");
  if (status === 415) {
    return new Problem("unsupported_media_type", "The body's encoding must be gzip, deflate, br or none.");
  }
  if (type === "request.aborted") return new Problem("malformed_request", "The body ended too early.");
  return new Problem("malformed_request", "The request could not be read.");
};
