import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Refused } from "../api.ts";
import { fieldSentence } from "../field-sentence.ts";

/** The sentence that a refusal has for a field: `origins` also finds those of `origins.0`. */
export function errorOf(refused: Refused | null | undefined, parameter: string): string | undefined {
  const found = refused?.errors.find(
    ({ parameter: wrong }) =>
      wrong === parameter || wrong.startsWith(`${parameter}.`) || wrong.startsWith(`${parameter}[`),
  );
  return found && fieldSentence(found.message);
}

/** What a control is to carry, so that its label, hint and error belong to it. */
type FieldIds = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
};

type Parts = {
  label: string;
  hint?: ComponentChildren;
  error?: string | undefined;
  children: (ids: FieldIds) => ComponentChildren;
};

/** A control with its label, a hint, and what is wrong with it, which is heard when it appears: the focus is elsewhere by then. */
export function Field({ label, hint, error, children }: Parts) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p class="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p class="wrong" role="alert" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** What a browser may fill in by itself. */
type AutoFill = "off" | "name" | "email" | "new-password" | "current-password";

type TextParts = Omit<Parts, "children"> & {
  value: string;
  onValue: (value: string) => void;
  /** Several lines, as many as this. */
  lines?: number;
  name?: string;
  type?: "text" | "email" | "url" | "password" | "search" | "number" | "date";
  inputMode?: "numeric" | "decimal";
  required?: boolean;
  readOnly?: boolean;
  spellcheck?: boolean;
  maxLength?: number;
  placeholder?: string;
  autocomplete?: AutoFill;
  /** Of what is written in it. */
  lang?: string;
  dir?: "auto";
};

/** A line of text, or several. */
export function TextField({ label, hint, error, value, onValue, lines, ...rest }: TextParts) {
  // What an input may carry depends on its type, and which types of ours those are, the compiler cannot follow.
  const more: object = rest;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) =>
        lines ? (
          <textarea
            {...ids}
            {...more}
            rows={lines}
            value={value}
            onInput={(e) => onValue(e.currentTarget.value)}
          />
        ) : (
          <input {...ids} {...more} value={value} onInput={(e) => onValue(e.currentTarget.value)} />
        )
      }
    </Field>
  );
}

type Choice<Value extends string> = { value: Value; says: string };
type SelectParts<Value extends string> = Omit<Parts, "children"> & {
  value: Value;
  choices: readonly Choice<Value>[];
  onValue: (value: Value) => void;
};

/** One of several choices. */
export function SelectField<Value extends string>({ value, choices, onValue, ...field }: SelectParts<Value>) {
  return (
    <Field {...field}>
      {(ids) => <Select ids={ids} value={value} choices={choices} onValue={onValue} />}
    </Field>
  );
}

/** A choice among others in a row of controls, whose label is heard and not seen. */
export function SmallSelect<Value extends string>({
  label,
  ...rest
}: Pick<SelectParts<Value>, "label" | "value" | "choices" | "onValue">) {
  const id = useId();
  const ids: FieldIds = { id, "aria-describedby": undefined, "aria-invalid": undefined };
  return (
    <span class="small-select">
      <label for={id} class="heard">
        {label}
      </label>
      <Select ids={ids} {...rest} />
    </span>
  );
}

function Select<Value extends string>({
  ids,
  value,
  choices,
  onValue,
}: { ids: FieldIds } & Pick<SelectParts<Value>, "value" | "choices" | "onValue">) {
  const choose = (text: string) => {
    const chosen = choices.find((choice) => choice.value === text);
    if (chosen) onValue(chosen.value);
  };
  return (
    <select {...ids} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {choices.map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.says}
        </option>
      ))}
    </select>
  );
}

type CheckParts = {
  label: string;
  hint?: ComponentChildren;
  checked: boolean;
  onValue: (checked: boolean) => void;
};

/** Yes or no. */
export function CheckField({ label, hint, checked, onValue }: CheckParts) {
  const id = useId();
  return (
    <div class="check">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint && (
          <p class="quiet" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

/** Several things, each of which may be chosen or not. */
export function Choices({
  legend,
  error,
  children,
}: {
  legend: string;
  /** What is wrong with what is chosen. */
  error: string | undefined;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <fieldset class="choices" aria-describedby={error && id}>
      <legend>{legend}</legend>
      {children}
      {error && (
        <p class="wrong" role="alert" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
