import { type DeviceClass, longestUserAgent } from "@offers/contract/words";

/**
 * The class of the device that a user agent names; null: none that is known. An iPad that asks for pages as a Mac does is a
 * `desktop`, and an Android device without `Mobile` a `tablet`, as their makers have it.
 */
export function deviceClass(userAgent: string | undefined): DeviceClass | null {
  const text = (userAgent ?? "").slice(0, longestUserAgent);
  if (/iPad|Tablet|PlayBook|Silk\//.test(text) || (text.includes("Android") && !text.includes("Mobile")))
    return "tablet";
  if (/Mobi|iPhone|iPod/.test(text)) return "phone";
  return /Windows NT|Macintosh|X11|CrOS/.test(text) ? "desktop" : null;
}

/** Their places are stored: a new one is only ever appended, wherever it stands in the contract's list. */
const storedClasses = ["phone", "tablet", "desktop"] as const;

/** A class as tables keep it: from 1; 0: not known. */
export function deviceNumber(device: DeviceClass | null): number {
  return device === null ? 0 : storedClasses.indexOf(device) + 1;
}

/** The class of a `deviceNumber`; null: not known. */
export function deviceOf(number: number): DeviceClass | null {
  return storedClasses[number - 1] ?? null;
}
