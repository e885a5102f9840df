import { unknownCountry } from "@offers/contract/words";
import type { Context } from "../context.ts";
import { Problem } from "./problem.ts";

/** Refuses two letters that ISO 3166-1 assigns to no country; `ZZ` says that the country is unknown. */
export const checkCountry = (context: Context, parameter: string, code: string | undefined): void => {
  if (code === undefined || code === unknownCountry || context.isCountry(code)) return;
  const message = "must be a country of ISO 3166-1 such as DE";
  throw new Problem("invalid_parameter", `${parameter} ${message}.`, { errors: [{ parameter, message }] });
};
