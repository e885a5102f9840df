import { expect, test } from "vitest";
import { areOtherBrowsers, browserFamily } from "./browser-family.ts";

const webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const blink = "AppleWebKit/537.36 (KHTML, like Gecko)";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)";
const pixel = "Mozilla/5.0 (Linux; Android 10; K)";
const windows = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";

test.each([
  ["Chrome", `${windows} ${blink} Chrome/144.0.0.0 Safari/537.36`, 1],
  ["Chrome of another year", `${pixel} ${blink} Chrome/99.0.0.0 Mobile Safari/537.36`, 1],
  ["Chrome on an iPhone", `${iphone} ${webkit} CriOS/144.0.0.0 Mobile/15E148 Safari/604.1`, 1],
  ["Edge", `${windows} ${blink} Chrome/144.0.0.0 Safari/537.36 Edg/144.0.0.0`, 2],
  ["Edge on an iPhone", `${iphone} ${webkit} Version/18.0 EdgiOS/144.0 Mobile/15E148 Safari/604.1`, 2],
  ["Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0", 3],
  ["Firefox on an iPhone", `${iphone} ${webkit} FxiOS/146.0 Mobile/15E148 Safari/605.1.15`, 3],
  ["Opera", `${windows} ${blink} Chrome/144.0.0.0 Safari/537.36 OPR/128.0.0.0`, 4],
  ["Safari", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1.15`, 5],
  ["Safari on an iPhone", `${iphone} ${webkit} Version/26.0 Mobile/15E148 Safari/604.1`, 5],
  ["Samsung's", `${pixel} ${blink} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`, 6],
  [
    "an Android app",
    `Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) ${blink} Version/4.0 Chrome/144.0.0.0 Mobile Safari/537.36`,
    null,
  ],
  ["an iPhone's app", `${iphone} ${webkit} Mobile/15E148 [FBAN/FBIOS;FBAV/450.0]`, null],
  ["something else", "curl/8.5.0", null],
  ["nothing", "", null],
])("%s has its family", (_, userAgent, family) => {
  expect(browserFamily(userAgent)).toBe(family);
});

test("only two known families contradict each other", () => {
  expect([
    areOtherBrowsers(1, 1),
    areOtherBrowsers(1, 3),
    areOtherBrowsers(null, 3),
    areOtherBrowsers(1, null),
    areOtherBrowsers(null, null),
  ]).toEqual([false, true, false, false, false]);
});
