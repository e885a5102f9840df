import { expect, test } from "vitest";
import { offersOfList } from "./offer-file.ts";
import { offerFileNotes } from "./offer-file-notes.ts";

const offer = {
  ...{ advertiserId: "advertiser_1", brand: "Filed", vertical: "games", title: "From a file" },
  ...{ geoCoverage: ["*"], payoutModel: "CPC", payoutMicros: 100_000 },
};
const telling = { ...offer, landingUrl: "https://filed.example/?c={click_id}" };
const silent = { ...offer, landingUrl: "https://filed.example/" };
const lines = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test.each([
  ["nothing of lines that are as they should be", [telling], [], []],
  ["whose landing page is not told of the click", [telling, silent], [], ["which click came: line 2."]],
  ["of several such lines", [silent, telling, silent], [], ["which click came: lines 1, 3."]],
  ["the same of offers that are known", [{ ...silent, offerId: "offer_1" }], [], ["came: line 1."]],
  [
    "nothing of a known offer whose landing page the file has not",
    [{ offerId: "offer_1", brand: "B" }],
    [],
    [],
  ],
  ["what is there already", [telling], [1], ["was there before: line 1. A line without an offerId"]],
  ["of several", [telling, telling], [1, 2], ["was there before: lines 1, 2. A line"]],
  ["of twenty", [telling], lines(20), [", 19, 20. A line"]],
  ["no more than twenty of them", [telling], lines(1021), [", 19, 20 and 1,001 more. A line"]],
  [
    "whose macros an escape has taken away",
    [
      {
        ...offer,
        landingUrl: "https://filed.example/?c={click_id}&to=https%3A%2F%2Fa.example%3Fw%3D%257Bwebsite%257D",
      },
    ],
    [],
    ["escaped (%7Bclick_id%7D), which is sent as it is: line 1."],
  ],
  ["first what every click would lack", [silent], [1], ["which click came", "was there before"]],
] as const)("tells %s", (_, list, alike, says) => {
  const file = offersOfList(list);
  expect(file.problems).toEqual([]);
  expect(offerFileNotes(file, alike)).toEqual(says.map((part) => expect.stringContaining(part)));
});
