import type { ClientHints } from "@offers/contract/events";

/** CSS pixels, to which a window's sides are rounded, and device pixels to one of them. */
const [sideStep, ratioStep] = [50, 0.5];

/**
 * What is kept of how a page says that an offer was seen (decisions.md#hints-judge-nothing). A window's exact size and
 * resolution are shared by few, so they are rounded; language and time zone are kept nowhere, since a view needs neither
 * for its proof.
 */
export function keptHints({ language, timezone, ...hints }: ClientHints): ClientHints {
  const { viewportWidth: width, viewportHeight: height, devicePixelRatio: ratio } = hints;
  return {
    ...hints,
    ...(width !== undefined && { viewportWidth: toStep(width, sideStep) }),
    ...(height !== undefined && { viewportHeight: toStep(height, sideStep) }),
    ...(ratio !== undefined && { devicePixelRatio: toStep(ratio, ratioStep) }),
  };
}

const toStep = (value: number, step: number): number => Math.round(value / step) * step;
