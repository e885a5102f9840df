/** The ways in which a page lays out the parent of a section, each as the style of the section's container. */
const layouts: Readonly<Record<string, string>> = {
  "a row with something else in it": "display: flex",
  "a column that centres": "display: flex; flex-direction: column; align-items: center",
  "a grid whose items keep to the start": "display: grid; justify-items: start; align-items: start",
  "a float": "float: left",
  "an inline block": "display: inline-block",
  "a card of a dashboard": "",
};

/** One place for a section, and the parent around it: the width of `.room` is what the place has. */
export type Parent = { name: string; id: string; html: string };

/** The six parents, each in a room that is `width` wide; ids begin with `prefix`. Every place keeps `heightPx` free. */
export function parents(prefix: string, width: string, heightPx: number): Parent[] {
  return Object.entries(layouts).map(([name, layout], index) => {
    const id = `${prefix}${index}`;
    const place = `<div id="${id}" style="${layout}; min-height: ${heightPx}px">${
      layout === "display: flex" ? '<i style="width: 12px"></i>' : ""
    }</div>`;
    const room = (inside: string) =>
      `<div class="room" style="width: ${width}; overflow: hidden">${inside}</div>`;
    // A card whose parts stand in a row that is aligned, within the second column of the page's grid.
    const html =
      layout === ""
        ? `<div style="display: grid; grid-template-columns: 8px auto"><nav></nav>${room(
            `<div style="display: flex; align-items: center; justify-content: space-between">${place}</div>`,
          )}</div>`
        : room(place);
    return { name, id, html: `${html}<p style="clear: both">Below ${name}</p>` };
  });
}
