import type { Words } from "./words.ts";

export const words: Words = {
  titleCountry: "Non disponibile nel tuo Paese",
  titleRegion: "Non disponibile nella tua regione",
  titleUnknown: "Non sappiamo dove ti trovi",
  message: "L’editore non offre questa pagina nel luogo in cui ti trovi ora.",
  messageUnknown: "Questa pagina è offerta solo in certi luoghi e non siamo riusciti a determinare il tuo.",
  heading: "Disponibile per te",
  sponsored: "Sponsorizzato",
  featured: "In evidenza",
  action: "Vedi l’offerta",
  newTab: "si apre in una nuova scheda",
  terms: "Termini e condizioni",
  commission: "Queste offerte sono pubblicità. L’editore può ricevere una commissione se le utilizzi.",
  support: "Contatta l’assistenza",
  close: "Chiudi",
  headingSection: "Offerte per te",
  titleWaiting: "Un momento, per favore",
  waiting: "Stiamo cercando un’alternativa che faccia per te.",
  titleDeclined: "Altre possibilità per te",
  messageDeclined:
    "La tua richiesta non può essere accettata qui. Una di queste offerte potrebbe fare per te.",
  ready: "Le offerte sono pronte.",
  titleNothing: "Nessun’altra offerta al momento",
  nothing: "Al momento non abbiamo altro da proporti.",
  titleFailed: "Qualcosa non ha funzionato",
  failed: "Non è stato possibile caricare le offerte. Riprova più tardi.",
};
