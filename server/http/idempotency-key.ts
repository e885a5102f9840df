import { idempotencyKey } from "@offers/contract/server-events";
import type { Request } from "express";
import { Problem } from "./problem.ts";

/** The request's Idempotency-Key; null when it has none. */
export function readIdempotencyKey(req: Request): string | null {
  const given = req.headersDistinct["idempotency-key"];
  if (given === undefined) return null;
  const parsed = idempotencyKey.safeParse(given.length === 1 ? given[0] : undefined);
  if (parsed.success) return parsed.data;
  const message = "must be given once, as 1 to 255 visible ASCII characters";
  throw new Problem("invalid_parameter", `Idempotency-Key ${message}.`, {
    errors: [{ parameter: "Idempotency-Key", message }],
  });
}
