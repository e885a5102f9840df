import { readSpentOn } from "./books.ts";
import { atMost, type Check, equal } from "./checks.ts";
import { CommandFailed } from "./operator.ts";
import type { Service } from "./service.ts";

/** Takes an advertiser's money back, so much at a time, for as long as so much of it is not spent. Resolves to what is left deposited. */
export async function takeBack(
  service: Service,
  {
    advertiserId,
    depositedMicros,
    sliceMicros,
  }: Record<"depositedMicros" | "sliceMicros", number> & {
    advertiserId: string;
  },
): Promise<number> {
  let left = depositedMicros;
  const words = ["--micros", String(-sliceMicros), "--note", "A race"];
  // Once more than there is to be taken.
  for (let taken = 0; taken <= depositedMicros; taken += sliceMicros) {
    try {
      const answer = await service.admin<{ depositedMicros: number }>(
        ...["advertiser", "adjust", "--advertiser", advertiserId, ...words],
      );
      left = answer.depositedMicros;
    } catch (error) {
      if (error instanceof CommandFailed && error.message.includes("must not take ")) return left;
      throw error;
    }
  }
  throw new Error("more was taken back than there was");
}

/** What was billed beside what was left deposited, once all has ended. */
export async function takenBackChecks(
  service: Service,
  {
    advertiserId,
    leftMicros,
    sliceMicros,
  }: Record<"leftMicros" | "sliceMicros", number> & {
    advertiserId: string;
  },
): Promise<Check[]> {
  const spent = await readSpentOn(service, advertiserId);
  const listed = await service.admin<{ advertiserId: string; depositedMicros: number }[]>(
    "advertiser",
    "list",
  );
  const deposited = listed.find((one) => one.advertiserId === advertiserId)?.depositedMicros;
  return [
    equal("deposited once money was taken back, in micros", deposited ?? 0, leftMicros),
    atMost("billed of a balance of which money was taken back, in micros", spent, leftMicros),
    // The counter-check: it was taken back for as long as there was enough.
    atMost("left of it that could have been taken back, in micros", leftMicros - spent, sliceMicros - 1),
  ];
}
