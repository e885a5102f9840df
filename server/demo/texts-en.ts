import type { DemoTexts } from "./texts.ts";

/** Of what speaks another language by itself. */
export const en: DemoTexts = {
  orchard_jeunes_qc: [
    "The student account without fees",
    "Unlimited transfers, no monthly fee until you are 25, and a card that you can block with one tap.",
    "Open my account",
    "Advertisement. Orchard Bank pays this site for your visit.",
    "For residents of Québec aged 16 to 25. Proof of studies is asked for every year.",
  ],
};
