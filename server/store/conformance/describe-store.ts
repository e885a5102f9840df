import { describe } from "vitest";
import { describeEdits } from "./describe-edits.ts";
import { describeRecording } from "./describe-recording.ts";
import { describeSessions } from "./describe-sessions.ts";
import { describeSnapshot } from "./describe-snapshot.ts";
import type { EngineUnderTest } from "./engine-under-test.ts";

/**
 * Everything that a store promises, whatever engine is below it. An engine's own test calls it; how an engine locks,
 * crashes and fills up is tried in its own room.
 */
export function describeStore(engine: EngineUnderTest): void {
  describe(`a store on ${engine.name}`, () => {
    describeRecording(engine);
    describeSessions(engine);
    describeSnapshot(engine);
    describeEdits(engine);
  });
}
