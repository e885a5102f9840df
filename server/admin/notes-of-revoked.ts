/** What to say besides of something that ends for good at `now`, where it has ended before. */
export function notesOfRevoked(revokedAt: number, now: number): readonly string[] {
  return revokedAt === now ? [] : ["it was revoked before: nothing was changed"];
}
