import type { ComponentChildren } from "preact";

export type Bar = {
  key: string;
  name: string;
  /** Its length, beside the longest one's. */
  size: number;
  figures: readonly ComponentChildren[];
  link?: string;
};

/** A short list with a bar behind each name; `heads` names the figures. */
export function Bars({
  bars,
  heads,
  label,
}: {
  bars: readonly Bar[];
  heads: readonly string[];
  label: string;
}) {
  const longest = Math.max(1, ...bars.map(({ size }) => size));
  return (
    <table class="bars">
      <caption class="heard">{label}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span class="heard">Name</span>
          </th>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {bars.map(({ key, name, size, figures, link }) => (
          <tr key={key}>
            <th scope="row">
              <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(size / longest) * 100} height="1" />
              </svg>
              {link ? <a href={link}>{name}</a> : <span>{name}</span>}
            </th>
            {figures.map((figure, index) => (
              <td key={heads[index]}>{figure}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
