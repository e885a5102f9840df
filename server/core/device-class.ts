import { type DeviceClass, deviceClasses } from "@offers/contract/words";

/**
 * The class of the device that a user agent names; null: none that is known. An iPad that asks for pages as a Mac does is a
 * `desktop`, and an Android device without `Mobile` a `tablet`, as their makers have it.
 */
export function deviceClass(userAgent: string | undefined): DeviceClass | null {
  const text = (userAgent ?? "").slice(0, 512);
  if (/iPad|Tablet|PlayBook|Silk\//.test(text) || (text.includes("Android") && !text.includes("Mobile")))
    return "tablet";
  if (/Mobi|iPhone|iPod/.test(text)) return "phone";
  return /Windows NT|Macintosh|X11|CrOS/.test(text) ? "desktop" : null;
}

/** A class as tables keep it: from 1 in the order of the contract's list, to which a new one is appended; 0: not known. */
export function deviceNumber(device: DeviceClass | null): number {
  return device === null ? 0 : deviceClasses.indexOf(device) + 1;
}

/** The class of a `deviceNumber`; null: not known. */
export function deviceOf(number: number): DeviceClass | null {
  return deviceClasses[number - 1] ?? null;
}
