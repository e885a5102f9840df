import { expect, test } from "vitest";
import { deviceClass, deviceNumber, deviceOf } from "./device-class.ts";

test("a device's number that is stored means what it meant, whatever the order of the contract's list", () => {
  expect(([null, "phone", "tablet", "desktop"] as const).map(deviceNumber)).toEqual([0, 1, 2, 3]);
});

test.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", "phone"],
  [
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36",
    "phone",
  ],
  ["Mozilla/5.0 (Linux; Android 14; SM-X710) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36", "tablet"],
  ["Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148", "tablet"],
  ["Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0.0.0 Safari/537.36", "desktop"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
    "desktop",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "desktop"],
  ["curl/8.5.0", null],
  ["", null],
  [undefined, null],
] as const)("the device of %s is %s, and so its number says", (userAgent, expected) => {
  expect(deviceClass(userAgent)).toBe(expected);
  expect(deviceOf(deviceNumber(expected))).toBe(expected);
});
