import { useRef } from "preact/hooks";
import { type LocalTime, localTimeText, readLocalTime } from "../local-time.ts";
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
  // While a date is typed, a browser says at times that there is none. Its time waits until there is one again, unless another
  // value comes from outside.
  const last = useRef({ value, time: shown?.time ?? "" });
  if (last.current.value !== value) last.current = { value, time: shown?.time ?? "" };
  if (shown === null) {
    return <TextField label={label} hint={hint} error={error} value={value} onValue={onValue} />;
  }
  const { date, time } = shown;
  const tell = (changed: LocalTime) => {
    const text = localTimeText(changed);
    last.current = { value: text, time: changed.time };
    onValue(text);
  };
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <div class="local-time">
          <input
            {...ids}
            type="date"
            // Without a limit a year may have six digits, which no field of a date is shown for.
            max="9999-12-31"
            value={date}
            onInput={({ currentTarget }) => tell({ date: currentTarget.value, time: last.current.time })}
          />
          <input
            type="time"
            aria-label={`${label}: time`}
            value={time}
            disabled={date === ""}
            onInput={({ currentTarget }) => tell({ date, time: currentTarget.value })}
          />
        </div>
      )}
    </Field>
  );
}
