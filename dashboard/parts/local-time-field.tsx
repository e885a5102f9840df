import { localTimeText, readLocalTime } from "../local-time.ts";
import { Field, TextField } from "./field.tsx";

/** A date, and a time where one is wanted, as a clock shows them. What is written otherwise stays a text. */
export function LocalTimeField({
  label,
  hint,
  error,
  value,
  onValue,
}: {
  label: string;
  hint: string;
  error: string | undefined;
  value: string;
  onValue: (value: string) => void;
}) {
  const shown = readLocalTime(value);
  if (shown === null) {
    return <TextField label={label} hint={hint} error={error} value={value} onValue={onValue} />;
  }
  const { date, time } = shown;
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <div class="local-time">
          <input
            {...ids}
            type="date"
            value={date}
            onInput={({ currentTarget }) => onValue(localTimeText({ date: currentTarget.value, time }))}
          />
          <input
            type="time"
            aria-label={`${label}: time`}
            value={time}
            disabled={date === ""}
            onInput={({ currentTarget }) => onValue(localTimeText({ date, time: currentTarget.value }))}
          />
        </div>
      )}
    </Field>
  );
}
