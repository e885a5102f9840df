import { monogram } from "./monogram.ts";

/**
 * A brand's picture over its monogram: until the picture has arrived, and when it never does, the monogram
 * is what one sees. The colour is an attribute of the drawing, since a page may forbid inline styles.
 */
export function BrandMark({ brand, imageUrl }: { brand: string; imageUrl: string | null }) {
  const { letter, hue } = monogram(brand);
  return (
    <div class="mark">
      {imageUrl && (
        <img
          src={imageUrl}
          alt=""
          width="72"
          height="72"
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onLoad={({ currentTarget }) => currentTarget.classList.add("there")}
        />
      )}
      <svg viewBox="0 0 48 48" aria-hidden="true" fill={`oklch(.5 .1 ${hue})`}>
        <path d="M0 0h48v48H0" />
        <text x="24" y="32">
          {letter}
        </text>
      </svg>
    </div>
  );
}
