import { unknownCountry } from "@offers/contract/words";
import type { Context } from "../context.ts";
import type { NamedLocation } from "../core/visitor-location.ts";
import { Problem } from "./problem.ts";

/** Refuses two letters that ISO 3166-1 assigns to no country; `ZZ` says that the country is unknown. */
export function checkCountry(context: Context, parameter: string, code: string | undefined): void {
  if (code === undefined || code === unknownCountry || context.isCountry(code)) return;
  throw refusal(parameter, "must be a country of ISO 3166-1 such as DE");
}

/** Refuses a country that is none, and a region that ISO 3166-2 does not know in the country beside it. */
export function checkPlace(context: Context, prefix: string, { country, region }: NamedLocation): void {
  checkCountry(context, `${prefix}country`, country);
  if (country === undefined || country === unknownCountry || region === undefined) return;
  if (context.isRegion(`${country}-${region}`)) return;
  throw refusal(`${prefix}region`, `must be a region of ${country} by ISO 3166-2`);
}

const refusal = (parameter: string, message: string): Problem =>
  new Problem("invalid_parameter", `${parameter} ${message}.`, { errors: [{ parameter, message }] });
