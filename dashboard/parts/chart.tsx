import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { anchorOf, gridLines, labelledPoints, nearestTo, placeOf, runsOf } from "../chart-scale.ts";
import { useEscape } from "../use-escape.ts";

export type Point = {
  /** Below the chart, such as `24 Oct`. */
  label: string;
  /** Null where there is none: the line has a gap there. */
  value: number | null;
  /** Whether more may come to it: its day is not over. */
  isSoFar?: boolean;
  /** The point at the same place of the period before. */
  before?: number | null | undefined;
  /** What its tooltip says: the title, the value, and what it was before. */
  says: readonly [title: string, value: string, ...before: string[]];
};

type Parts = {
  title: string;
  /** What the line does, in a sentence, for those who do not see it. */
  description: string;
  points: readonly Point[];
  formatValue: (value: number) => string;
  /** Whether values are counts, which have no halves. */
  isWhole?: boolean;
};

const height = 260;
const [top, bottom, end] = [16, 28, 16];

/**
 * One line over days, drawn from the rows of the table that can be shown in its place; dashed, the period before. A
 * point's figures show under the pointer, and by the arrow keys: the slider inside is what the keys move.
 */
export function Chart({ title, description, points, formatValue, isWhole = true }: Parts) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [chosen, setChosen] = useState<number | null>(null);
  const [moved, setMoved] = useState(points.length - 1);
  // There may be fewer points by now.
  const slid = Math.min(moved, points.length - 1);

  useEscape(chosen !== null, () => setChosen(null));
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const resized = new ResizeObserver(() => setWidth(element.clientWidth));
    resized.observe(element);
    return () => resized.disconnect();
  }, []);

  const values = points.flatMap(({ value, before }) => [value ?? 0, before ?? 0]);
  const lines = gridLines(Math.max(0, ...values), isWhole);
  const texts = lines.map(formatValue);
  const left = 24 + 6.5 * Math.max(...texts.map((text) => text.length));
  const right = Math.max(left + 1, width - end);
  const x = (index: number) => placeOf(index, points.length, left, right);
  const y = (value: number) => height - bottom - (value / (lines.at(-1) ?? 1)) * (height - top - bottom);
  const now = points.map(({ value }) => value);
  const earlier = points.map(({ before }) => before ?? null);
  /** The parts of a line between two of its points, both included. */
  const path = (of: typeof now, from = 0, to = points.length - 1) =>
    runsOf(of)
      .map(([first, last]) => [Math.max(first, from), Math.min(last, to)] as const)
      .filter(([first, last]) => first < last)
      .map(([first, last]) => {
        const places = of
          .slice(first, last + 1)
          .map((value, index) => `${x(first + index).toFixed(1)} ${y(value ?? 0).toFixed(1)}`);
        return { first, last, d: `M${places.join("L")}` };
      });
  const whole = points.findLastIndex(({ isSoFar }) => !isSoFar);
  // A line of one point is none.
  const alone = (of: typeof now) => runsOf(of).flatMap(([first, last]) => (first === last ? [first] : []));
  const point = chosen === null ? undefined : points[chosen];
  const wordsOf = ({ says: [title, ...others], isSoFar }: Point) => [
    isSoFar ? `${title}, so far` : title,
    ...others,
  ];
  const choose = (index: number) => {
    setChosen(index);
    setMoved(index);
  };

  return (
    <div
      class="chart"
      ref={frame}
      onPointerMove={({ clientX, currentTarget }) =>
        choose(nearestTo(clientX - currentTarget.getBoundingClientRect().left, points.length, left, right))
      }
      onPointerLeave={() => setChosen(null)}
    >
      {width > 0 && points.length > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-labelledby={`${id}t ${id}d`}
        >
          <title id={`${id}t`}>{title}</title>
          <desc id={`${id}d`}>{description}</desc>
          {lines.map((value, index) => (
            <g key={value} class="grid">
              <path d={`M${left} ${y(value)}H${right}`} />
              <text x={left - 8} y={y(value)} dy="0.35em" text-anchor="end">
                {texts[index]}
              </text>
            </g>
          ))}
          {labelledPoints(points.length, right - left, 76).map((index) => (
            <text key={index} x={x(index)} y={height - 8} text-anchor={anchorOf(index, points.length)}>
              {points[index]?.label}
            </text>
          ))}
          <path
            class="wash"
            d={path(now)
              .map(({ first, last, d }) => `${d}L${x(last)} ${y(0)}L${x(first)} ${y(0)}Z`)
              .join("")}
          />
          <path class="before" d={textOf(path(earlier))} />
          <path class="line" d={textOf(path(now, 0, whole))} />
          <path class="line so-far" d={textOf(path(now, Math.max(0, whole)))} />
          {alone(earlier).map((index) => (
            <circle key={index} class="before" cx={x(index)} cy={y(earlier[index] ?? 0)} r="6" />
          ))}
          {alone(now).map((index) => (
            <circle key={index} cx={x(index)} cy={y(now[index] ?? 0)} r="4" />
          ))}
          {point && chosen !== null && (
            <g class="chosen">
              <path d={`M${x(chosen)} ${top}V${height - bottom}`} />
              {point.value !== null && <circle cx={x(chosen)} cy={y(point.value)} r="4.5" />}
            </g>
          )}
        </svg>
      )}
      <input
        class="heard"
        type="range"
        min={0}
        max={Math.max(0, points.length - 1)}
        value={slid}
        aria-label={`${title}: a point of the line`}
        aria-valuetext={points[slid] && wordsOf(points[slid]).join(", ")}
        onFocus={() => setChosen(slid)}
        onBlur={() => setChosen(null)}
        onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
      />
      {point && chosen !== null && (
        <div
          class={x(chosen) > width / 2 ? "tooltip at-left" : "tooltip"}
          aria-hidden="true"
          // Set through the object model, which a policy against inline styles leaves alone.
          style={{ insetInlineStart: `${x(chosen)}px`, insetBlockStart: `${top}px` }}
        >
          {wordsOf(point).map((words) => (
            <span key={words}>{words}</span>
          ))}
        </div>
      )}
    </div>
  );
}

const textOf = (parts: readonly { d: string }[]): string => parts.map(({ d }) => d).join("");
