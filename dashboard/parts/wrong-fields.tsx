import type { Refused } from "../api.ts";
import type { TextMember } from "../offer-draft.ts";
import { errorOf } from "./field.tsx";
import { Notice } from "./notice.tsx";

/** What this page found wrong with the fields, before it asked the service. */
export type Wrong = Partial<Record<TextMember, string>>;

/** What is wrong with a field, by this page or by the service. */
export const said = (name: string, wrong: Wrong, error: Refused | undefined): string | undefined => {
  const sentence = wrong[name as TextMember] ?? errorOf(error, name);
  return sentence && `This ${sentence}.`;
};

/** Says below the form which fields are to be looked at. */
export function Wrongs({ wrong, error }: { wrong: Wrong; error: Refused | undefined }) {
  const names = [...Object.keys(wrong), ...(error?.errors.map(({ parameter }) => parameter) ?? [])];
  if (names.length === 0 && !error) return null;
  return (
    <Notice tone="bad">
      {names.length > 0 ? `Not saved. Look at ${names.join(", ")}.` : error?.message}
    </Notice>
  );
}
