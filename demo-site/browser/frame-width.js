/**
 * Gives the frame the chosen width in CSS pixels and, where the stage is narrower than that, shows it scaled
 * down, so that the page inside still lays itself out for the chosen width.
 * @param {HTMLIFrameElement} frame
 * @param {HTMLElement} widths
 */
export function keepFrameWidth(frame, widths) {
  const field = frame.parentElement;
  if (!field) return;
  const resize = () => {
    const choice = widths.querySelector("input:checked");
    const wanted = choice instanceof HTMLInputElement ? Number.parseInt(choice.value, 10) : Number.NaN;
    const width = Number.isNaN(wanted) ? field.clientWidth : wanted;
    const scale = Math.min(1, field.clientWidth / width);
    frame.style.width = `${width}px`;
    frame.style.height = `${Math.round(field.clientHeight / scale)}px`;
    frame.style.transform = scale < 1 ? `scale(${scale})` : "";
    frame.style.marginInlineStart = `${Math.max(0, (field.clientWidth - width) / 2)}px`;
  };
  widths.addEventListener("change", resize);
  new ResizeObserver(resize).observe(field);
  resize();
}
