import { describe, expect, test } from "vitest";
import { isSuppressed, suppressionOf } from "./suppression.ts";

const shown = (reason: string | null, verticals: string[], vertical: string) =>
  !isSuppressed(suppressionOf({ reason, verticals }), vertical);

describe("a protective reason", () => {
  test.each([
    ...["self_excluded", "underage", "Self-Excluded", " UNDERAGE ", "self excluded", "self-exclusion"],
    ...["selfExcluded", "SelfExclusion", "under-age", "UNDER_AGE"],
  ])("%j withholds gambling, trading and loans under every name", (reason) => {
    for (const vertical of [
      "gambling",
      "casino",
      "online-casino",
      "sports_betting",
      "lottery",
      "trading",
      "crypto-trading",
      "forex",
      "loans",
      "loan",
      "payday-loans",
      "lending",
      "credit",
      "mortgages",
      ...["sportsbetting", "onlinecasino", "cryptotrading", "personalloans", "wagers", "blackjack"],
      ...["cash-advance", "daytraders", "microlending"],
      ...["moneylenders", "creditcards", "onlineslots", "sportsbets", "binaryoptions", "slotmachines"],
      ...["cfdtrades", "cfdbrokers", "fxbrokers", "freebets", "online_bets", "video-slots", "lineofcredit"],
      ...["brokers", "stock-broker", "stocks", "investing", "investments", "options", "etf", "swaps", "nft"],
      ...[
        "buy-now-pay-later",
        "refinancing",
        "car-finance",
        "financing",
        "installments",
        "heloc",
        "pawnshops",
      ],
      ...["slot", "jackpot", "raffle", "keno", "baccarat", "scratch-cards", "prediction-markets", "debt"],
      ...[
        "shares",
        "share-dealing",
        "stock",
        "stock-market",
        "equity-release",
        "bonds",
        "option",
        "finances",
      ],
      ...[
        "darlehen",
        "pawnbroking",
        "pennystocks",
        "stocksandshares",
        "stockbroking",
        "kreditvergleich",
        "prestamos",
        "creditos",
        "loteria",
        "hipotecas",
        "inversiones",
      ],
      ...[
        "fantasy-sports",
        "pari-mutuel",
        "horse-racing",
        "sweeps",
        "kredite",
        "sportwetten",
        "gluecksspiel",
        "aktien",
      ],
      ...["privatkredit", "baufinanzierung", "spielautomaten", "autokredite", "kreditkarten", "ratenkauf"],
      ...["tragaperras", "juegos-de-azar", "financiacion-coches", "bolsa-y-acciones", "tarjetas-de-credito"],
      ...["emprestimos", "emprestimo-pessoal", "consignado", "financiamento", "apostas", "cassino", "acoes"],
      ...["apostas-esportivas", "jogos-de-azar", "cartao-de-credito", "criptomoedas"],
      ...["paris-sportifs", "prets", "pret-immobilier", "rachat-de-credits", "jeux-d-argent", "bourse"],
      ...["scommesse", "prestiti", "giochi-d-azzardo", "mutui", "cessione-del-quinto-dello-stipendio"],
      ...["gokken", "persoonlijke-lening", "kredieten", "hypotheken", "beleggen", "weddenschappen"],
      ...["pozyczki", "zaklady", "kredyty", "kasyno", "chwilowki", "gielda", "gry-hazardowe"],
      ...["microcredit", "creditcard", "onlinecredit", "linha-credito", "lineacredito"],
      ...["bets", "slots", "cfd", "fx", "binary", "lender", "borrowing", "credit-union", "p2p-lenders"],
    ]) {
      expect(shown(reason, [], vertical), vertical).toBe(false);
    }
    for (const vertical of [
      "banking",
      "insurance",
      "travel",
      "energy",
      "mobile",
      "games",
      "fair-trade",
      "blenders",
      ...["livestock-supplies", "respawn", "spawn-games", "horse-racks", "sharing"],
      ...["stockings", "livestock", "akkreditierung", "adoption-services"],
      ...["paris-hotels", "apostille", "spielzeug", "wetter", "acreditacion", "akredytacje", "assicurazioni"],
      ...["seguros", "viagens", "reisen", "telefonia", "voyages", "verzekeringen", "podroze", "energia"],
      ...["alphabets", "timeslots", "accreditation", "better-health", "calenders", "binaries"],
    ]) {
      expect(shown(reason, [], vertical), vertical).toBe(true);
    }
  });

  test("withholds what is named beside it too", () => {
    expect(shown("underage", ["insurance"], "insurance")).toBe(false);
    expect(shown("underage", ["insurance"], "loans")).toBe(false);
    expect(shown("underage", ["insurance"], "travel")).toBe(true);
  });
});

describe("any other reason, or none", () => {
  test.each(["declined", "credit_score", "not_underage", "over", null])("%j withholds nothing", (reason) => {
    expect(suppressionOf({ reason, verticals: [] })).toBeNull();
    expect(shown(reason, [], "gambling")).toBe(true);
  });

  test("withholds the one vertical that is named", () => {
    expect(shown("declined", ["insurance"], "insurance")).toBe(false);
    expect(shown("declined", ["insurance"], "travel")).toBe(true);
  });

  test("is the same in whatever order verticals are named", () => {
    const verticals = ["loans", "travel", "banking", "energy"];
    const [one, other] = [verticals, verticals.toReversed()].map((some) =>
      suppressionOf({ reason: null, verticals: some }),
    );
    expect(one).toEqual(other);
  });

  test("withholds exactly what is named, in any case, each once", () => {
    const suppression = suppressionOf({ reason: null, verticals: ["loans", "Loans", "travel"] });
    expect(suppression?.names).toHaveLength(2);
    expect(suppression?.vulnerable).toBe(false);
    for (const vertical of ["loans", "travel"]) expect(isSuppressed(suppression, vertical)).toBe(true);
    for (const vertical of ["loan", "gambling", "banking", ""]) {
      expect(isSuppressed(suppression, vertical), vertical).toBe(false);
    }
  });
});
