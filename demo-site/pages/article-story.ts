import { html, type Markup } from "../markup.ts";

/** The text of the article. */
export function articleStory(): Markup {
  return html`
<p class="opening">On the quay at Skarholm hangs a blackboard, and every morning before seven somebody writes a number on it. Visitors take it for the price of cod. It is a guess: how many megawatt hours the island will make before midnight. The guesses are kept in a ledger, next to what was really made, and whoever was furthest out in a month sweeps the ferry shed in the next.</p>
<p>“I have swept it twice,” says Marit Osk, who runs the post office and was mayor for nine years. “Both times in October. Nobody can read October.”</p>
<p>Not long ago there was little to read. A generator behind the school drank a tanker of diesel each month, and if the sea kept the ferry away for a week the street lamps went out first, then the freezers, then the mood. In the winter of 2015 it was eleven days. The old people moved into the church hall, where there was a stove, and played cards by the light of a tractor.</p>
<h2>A machine nobody wanted</h2>
<p>The first turbine came as a gift that was hard to refuse. A maker on the mainland needed a place with bad weather to wear out a prototype, and Skarholm had weather to spare. The council said yes by a single vote. For two years the thing stood on the northern ridge and failed, in a new way each season: salt in the bearings, ice on the blades, and once a family of gulls in a place that no engineer had thought of as a place.</p>
<p>But to find out why it failed, someone had to climb up and look, and the maker’s people lived a day away. So the climbing fell to a fisherman, a music teacher and a nineteen-year-old called Jonas Reke, who had been about to leave. They learned the machine the way one learns a neighbour, by its noises.</p>
<blockquote class="pull"><p>You stop asking whether it will blow. You begin to ask for how long, and what you will do with it.</p><footer>Jonas Reke, turbine keeper</footer></blockquote>
<p>Reke did not leave. He now looks after six turbines, owned by the islanders in shares of one household each, and trains keepers for other islands in a course that lasts, by design, one whole winter. “In summer you learn the manual,” he says. “In February you learn the machine.”</p>
<h2>What to do with too much</h2>
<p>The harder lesson was plenty. On a wild night the ridge makes nine times what the houses can use, and the cable to the mainland carries away only a part. At first the rest was simply braked off, which offended everyone. A place that has counted candles does not watch power thrown to the sea.</p>
<p>So the island rearranged its days. The fish plant makes its ice when the wind is up and lives on it when it is not. Under the sports hall lies a tank of water as large as a barn, heated in gales, which warms the school for a week of calm. The bakery has two timetables, and the one that counts is chalked up on the quay by six in the evening: <em>strong night, rye</em>; <em>weak night, flat bread</em>. People set their washing by it. Children do their sums with it.</p>
<p>Economists who come to visit speak of flexible demand. Osk, who has heard the phrase often, prefers the older word. “It’s called seamanship,” she says. “You go when it carries you. We only forgot that it holds for kitchens too.”</p>
<h2>The number on the board</h2>
<p>Last year the cable earned Skarholm a little more than its fish did, for the first time. Some of it paid for a doctor who stays overnight. Some went into a fund for the seventh turbine, about which there is already a quarrel, as it would stand in the view from the churchyard. The vote is in March, and nobody will say which way it goes. That too is a kind of weather.</p>
<p>On the morning I leave, a storm is promised and the board says 212. The woman behind me in the line for the ferry studies it, licks a finger, holds it up, and laughs. “Low,” she says, and takes the chalk.</p>
<p>It was 231. I looked it up when I got home. Someone else is sweeping the shed.</p>`;
}
