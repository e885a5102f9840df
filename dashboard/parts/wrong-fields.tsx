import { useLayoutEffect } from "preact/hooks";
import type { Refused } from "../api.ts";
import { type FieldNames, wrongFieldsText } from "../field-names.ts";
import { fieldSentence } from "../field-sentence.ts";
import { leadTo } from "../lead-to.ts";
import type { TextMember } from "../offer-draft.ts";
import { errorOf } from "./field.tsx";
import { Notice } from "./notice.tsx";

/** What this page found wrong with the fields, before it asked the service. */
export type Wrong = Partial<Record<TextMember, string>>;

/** What is wrong with a field, by this page or by the service. */
export const said = (name: string, wrong: Wrong, error: Refused | undefined): string | undefined => {
  const found = wrong[name as TextMember];
  return found === undefined ? errorOf(error, name) : fieldSentence(found);
};

/** Says below the form which fields are to be looked at, and leads to the first of them. */
export function Wrongs({
  wrong,
  error,
  names,
}: {
  wrong: Wrong;
  error: Refused | undefined;
  names: FieldNames;
}) {
  const parameters = [...Object.keys(wrong), ...(error?.errors.map(({ parameter }) => parameter) ?? [])];
  useLayoutEffect(() => {
    if (parameters.length > 0) leadTo(document.querySelector<HTMLElement>("main [aria-invalid]"));
  }, [wrong, error]);
  const says = wrongFieldsText(parameters, names) ?? error?.message;
  return says === undefined ? null : <Notice tone="bad">{says}</Notice>;
}
