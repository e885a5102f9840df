import type { Words } from "./words.ts";

export const words: Words = {
  titleCountry: "Non disponible dans votre pays",
  titleRegion: "Non disponible dans votre région",
  titleUnknown: "Votre position est inconnue",
  message: "L’éditeur ne propose pas cette page là où vous vous trouvez.",
  messageUnknown:
    "Cette page n’est proposée qu’à certains endroits, et nous n’avons pas pu déterminer le vôtre.",
  heading: "Disponible pour vous",
  sponsored: "Sponsorisé",
  featured: "À la une",
  action: "Voir l’offre",
  newTab: "s’ouvre dans un nouvel onglet",
  opened: "ouvert",
  terms: "Conditions",
  commission: "Ces offres sont des publicités. L’éditeur peut percevoir une commission si vous en profitez.",
  support: "Contacter l’assistance",
  close: "Fermer",
  headingSection: "Des offres pour vous",
  titleWaiting: "Un instant, s’il vous plaît",
  waiting: "Nous cherchons une autre solution qui pourrait vous convenir.",
  titleDeclined: "D’autres solutions pour vous",
  messageDeclined:
    "Votre demande n’a pas pu être acceptée ici. L’une de ces offres vous conviendra peut-être.",
  ready: "Les offres sont prêtes.",
  titleNothing: "Aucune autre offre pour l’instant",
  nothing: "Nous n’avons rien d’autre à vous proposer pour le moment.",
  titleFailed: "Cela n’a pas fonctionné",
  failed: "Les offres n’ont pas pu être chargées. Veuillez réessayer plus tard.",
};
