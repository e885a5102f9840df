/** Drawn by hand on 16 by 16, lines of 1.5. */
const drawings = {
  home: "M2.5 7.5 8 2.5l5.5 5M4 6.5V13.5h8V6.5M6.5 13.5v-3.5h3v3.5",
  globe: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM2 8h12M8 2c-4.5 4-4.5 8 0 12 4.5-4 4.5-8 0-12",
  bars: "M2 13.5h12M4 13.5V8M8 13.5V3M12 13.5V6",
  tag: "M8.5 2.5h5v5l-6 6-5-5ZM11 5h.01",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3l3.2 3.2",
  key: "M5 8a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM7.2 8.8l6.3-6.3M11 5l2 2",
  plug: "M6 2v3.5M10 2v3.5M4 5.5h8V8a4 4 0 0 1-8 0ZM8 12v2.5",
  hook: "M5.5 5.5a2.5 2.5 0 1 1 4 2l2 3.5M6 6.5 4 10.5M4 13a2 2 0 1 0 0-4M11.5 11a2 2 0 1 1-1.5 3M6 11.5h4",
  people:
    "M6 3a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5ZM1.5 13.5c0-5 9-5 9 0M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.5.5 2.5 1.8 2.5 3.7",
  clock: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 4.5V8l2.5 1.5",
  person: "M8 2.5a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM2.5 14c0-6 11-6 11 0",
  pulse: "M1.5 8.5h3l2-5.5 3 10 2-4.5h3",
  building: "M3 13.5v-11h7v11M10 6.5h3.5v7M1.5 13.5h13M5.5 5.5h2M5.5 8.5h2",
  coins: "M6 3a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10.5 6.2a3.5 3.5 0 1 1-4.3 4.3",
  shield: "M8 1.8 13 3.8v4c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.4v-4ZM5.8 8l1.6 1.6 3-3.2",
  swap: "M2.5 5.5h10l-2.5-2.5M13.5 10.5h-10l2.5 2.5",
  check: "M3 8.5l3.3 3.3L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  warning: "M8 2.2 14.5 13.5h-13ZM8 6.5v3M8 11.5h.01",
  info: "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.5v3.5M8 5h.01",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  dot: "M8 6.8a1.2 1.2 0 1 0 0 2.4 1.2 1.2 0 0 0 0-2.4ZM8 8h.01",
  copy: "M6 5.5h7v8H6ZM10 5.5v-3H3v8h3",
  download: "M8 2.5v7.5M4.8 7 8 10.2 11.2 7M2.5 13.5h11",
  calendar: "M2.5 4h11v9.5h-11ZM2.5 7h11M5.5 2v3M10.5 2v3",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  list: "M2.5 4h11M2.5 8h7M2.5 12h9",
  down: "M4.5 6.5 8 10l3.5-3.5",
  updown: "M5 6l3-3 3 3M5 10l3 3 3-3",
  up: "M4.5 9.5 8 6l3.5 3.5",
  left: "M9.5 4.5 6 8l3.5 3.5",
  right: "M6.5 4.5 10 8l-3.5 3.5",
  leave: "M6.5 2.5h-4v11h4M6 8h7.5M11 5.5 13.5 8 11 10.5",
  pen: "M3 13l.6-3L10.8 2.8l2.4 2.4L6 12.4ZM9.3 4.3l2.4 2.4",
  trash: "M3 4.5h10M6 4.5v-2h4v2M4.2 4.5l.6 9h6.4l.6-9M6.8 7v4M9.2 7v4",
  eye: "M1.5 8c3-5.5 10-5.5 13 0-3 5.5-10 5.5-13 0ZM8 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z",
  link: "M6.5 9.5l3-3M7.5 4.5l1.5-1.5a2.8 2.8 0 0 1 4 4L11.5 8.5M8.5 11.5 7 13a2.8 2.8 0 0 1-4-4l1.5-1.5",
  code: "M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5",
  brush:
    "M13.5 2.5c-3 1-5.5 3.5-6.5 6l1.5 1.5c2.5-1 4.5-3.5 5-7.5ZM6 9.5c-2 0-2.5 1.5-3.5 4 2.5.3 5-.2 5-2.5",
  gear: "M8 5.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4ZM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6l1.4 1.4M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4",
  pin: "M8 14c-3-3.5-4.5-5.5-4.5-7.5a4.5 4.5 0 0 1 9 0C12.5 8.5 11 10.5 8 14ZM8 5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z",
  flask: "M6 2.5h4M6.8 2.5v4l-3.8 7h10l-3.8-7v-4M5 10h6",
} as const;

export type IconName = keyof typeof drawings;

/** A small drawing beside a word, or in its place where `says` names it for those who do not see it. */
export function Icon({ name, says }: { name: IconName; says?: string }) {
  const drawing = <path d={drawings[name]} />;
  if (says === undefined) {
    return (
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
        {drawing}
      </svg>
    );
  }
  return (
    <svg class="icon" viewBox="0 0 16 16" role="img" aria-label={says}>
      {drawing}
    </svg>
  );
}
