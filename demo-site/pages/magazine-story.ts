import { html, type Markup } from "../markup.ts";

/** The text of the magazine's story; `between` stands amid its paragraphs. */
export function magazineStory(between: Markup): Markup {
  return html`
<p class="opening">The instrument hangs beside the blackboard, where other schools have a clock. It is as wide as a dinner plate, it was taken off a herring boat, and nobody in the second form of Kvalby may sit down before somebody has tapped the glass and said which way the needle went.</p>
<p>“Up means homework outside,” explains Alma, who is seven. “Down means my uncle comes home.” Her uncle fishes for crab. Asked what it means when the needle stays, she considers it for a while. “Then you wait,” she says. “That is also something.”</p>
<p>The idea was Ragna Leth’s, who has taught here for twenty years and was tired of numbers that arrived from nowhere. A percentage, she found, is a thing that children are told. A pressure is a thing that they can watch. So the year now begins with a glass of water, a card and a bucket, and reaches fractions only when somebody needs half a millibar.</p>
${between}
<h2>Forty needles</h2>
<p>Last winter the parents’ council bought forty second-hand barometers, one for each kitchen. They do not agree with each other, which turned out to be the best of it. The pupils drew a map of who reads high and who reads low, argued about the hill, and discovered the hill. By March they had found two instruments that were broken and one house that was further above the sea than its owner had been told.</p>
<p>The national forecast comes by telephone, and it is better. Leth says so to anyone who asks. But a forecast is somebody else’s sentence, and it ends with a full stop. The needle is a question. On the morning of my visit it had fallen by four since supper; eleven children looked at it, then at the sky, then at one another’s boots.</p>
<blockquote class="pull"><p>They don’t believe the instrument. They have begun to check it. That is all I wanted.</p><footer>Ragna Leth, teacher</footer></blockquote>
<p>In the afternoon it rained, as seven of them had said. The other four wrote down why they had thought otherwise, and the best of the reasons was pinned to the wall. It had to do with gulls.</p>`;
}
