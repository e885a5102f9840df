/** What has come of a search or a question, for those who do not see it: it stands there before it says anything, or it is not heard. */
export function Heard({ says }: { says: string }) {
  return (
    <p class="heard" role="status">
      {says}
    </p>
  );
}
