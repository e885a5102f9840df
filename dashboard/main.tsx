import "./dashboard.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { askAtSteps } from "./ask-at-step.ts";
import { catchFocus } from "./catch-focus.ts";
import { keepScroll } from "./keep-scroll.ts";
import { noteUse } from "./last-use.ts";

const place = document.getElementById("app");
askAtSteps();
catchFocus();
keepScroll();
noteUse();
if (place) render(<App />, place);
