import type { Words } from "./words.ts";

export const words: Words = {
  titleCountry: "No disponible en tu país",
  titleRegion: "No disponible en tu región",
  titleUnknown: "No sabemos dónde estás",
  message: "El editor no ofrece esta página en el lugar donde te encuentras.",
  messageUnknown: "Esta página solo se ofrece en ciertos lugares y no hemos podido determinar el tuyo.",
  heading: "Disponible para ti",
  sponsored: "Patrocinado",
  featured: "Destacado",
  action: "Ver oferta",
  newTab: "se abre en una pestaña nueva",
  terms: "Condiciones",
  commission: "Estas ofertas son publicidad. El editor puede recibir una comisión si las utilizas.",
  support: "Contactar con soporte",
  close: "Cerrar",
};
