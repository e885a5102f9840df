import "./dashboard.css";
import { render } from "preact";
import { App } from "./app.tsx";
import { keepScroll } from "./keep-scroll.ts";

const place = document.getElementById("app");
keepScroll();
if (place) render(<App />, place);
