import { reportDays } from "@offers/contract/words";
import { useEffect, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { formatDays } from "../format.ts";
import { dayOf, lengthOf, ownRange, type Range, readRange } from "../ranges.ts";
import { Field } from "./field.tsx";
import { Icon } from "./icon.tsx";
import { Menu } from "./menu.tsx";

const named = [
  ["7d", "Last 7 days"],
  ["30d", "Last 30 days"],
  ["90d", "Last 90 days"],
  ["month", "This month"],
] as const;

/** The range that the page's address names, in days of UTC. */
export function useRange(): Range {
  return readRange(useAddress().query.range, dayOf(Date.now()));
}

/** Chooses the days that a page is about; the choice stands in its address as `range`. */
export function RangePicker({ range }: { range: Range }) {
  const { having, go } = useAddress();
  const [own, setOwn] = useState({ from: range.from, to: range.to });
  useEffect(() => setOwn({ from: range.from, to: range.to }), [range.from, range.to]);
  const today = dayOf(Date.now());
  const wrong =
    own.from > own.to
      ? "The first day comes after the last one."
      : lengthOf(own) > reportDays.most
        ? `At most ${reportDays.most} days.`
        : undefined;
  return (
    <Menu
      class="range"
      button={
        <>
          <Icon name="calendar" />
          {formatDays(range)}
          <Icon name="down" />
        </>
      }
    >
      {(close) => (
        <>
          <ul>
            {named.map(([name, says]) => (
              <li key={name}>
                <a
                  href={having({ range: name })}
                  aria-current={range.name === name ? "true" : undefined}
                  onClick={close}
                >
                  {says}
                  {range.name === name && <Icon name="check" />}
                </a>
              </li>
            ))}
          </ul>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (wrong || !own.from || !own.to) return;
              go(having({ range: ownRange(own) }));
              close();
            }}
          >
            <Field label="From">
              {(ids) => (
                <input
                  {...ids}
                  type="date"
                  required
                  max={today}
                  value={own.from}
                  onInput={(event) => setOwn({ ...own, from: event.currentTarget.value })}
                />
              )}
            </Field>
            <Field label="To" error={wrong}>
              {(ids) => (
                <input
                  {...ids}
                  type="date"
                  required
                  max={today}
                  value={own.to}
                  onInput={(event) => setOwn({ ...own, to: event.currentTarget.value })}
                />
              )}
            </Field>
            <button type="submit" class="button">
              Show these days
            </button>
          </form>
        </>
      )}
    </Menu>
  );
}
