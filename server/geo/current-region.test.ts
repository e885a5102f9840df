import { expect, test } from "vitest";
import { createRegionReader } from "./current-region.ts";
import { formerRegions, heirOfRegion } from "./former-regions.ts";
import { isRegion } from "./iso-codes.ts";

const regionOf = createRegionReader();

test.each([
  ["US", "NJ", "NJ"],
  ["US", "US-NJ", "NJ"],
  ["US", "nj", "NJ"],
  ["US", "", ""],
  ["US", "QQ", ""],
  ["US", "Nowhere", ""],
])("a code of today stays: %s %j is %j", (country, region, code) => {
  expect(regionOf(country, region)).toBe(code);
});

test.each([
  ["PL", "MZ", "14"],
  ["NO", "12", "46"],
  ["NO", "14", "46"],
  ["NO", "01", "31"],
  ["NO", "19", "55"],
  ["ZA", "GT", "GP"],
  ["ZA", "NL", "KZN"],
  ["KZ", "ALA", "75"],
  ["KZ", "AST", "71"],
  ["MK", "04", "501"],
  ["GT", "GU", "01"],
  ["EE", "78", "79"],
  ["NP", "4", "P1"],
  ["LV", "VMR", "113"],
  ["IN", "OR", "OD"],
  ["NO", "30", ""],
  ["NO", "54", ""],
  ["HK", "HCW", ""],
])("a withdrawn code is the one of today: %s-%s is %j", (country, former, code) => {
  expect(regionOf(country, former)).toBe(code);
});

test.each([
  ["KZ", "VOS", "Ust-Kamenogorsk", "63"],
  ["KZ", "VOS", "Semey", "10"],
  ["KZ", "ALM", "Taldykorgan", "33"],
  ["NP", "1", "Kathmandu", "P3"],
  ["NP", "1", "Janakpur Dham", "P2"],
  ["NP", "2", "Surkhet", "P6"],
])("of a divided place the town tells the part: %s-%s, %s is %s", (country, former, town, code) => {
  expect(regionOf(country, former, town)).toBe(code);
});

test.each([
  ["PL", "Mazovia", "14"],
  ["PL", "Mazowieckie", "14"],
  ["PL", "Lodz Voivodeship", "10"],
  ["NO", "Vestland", "46"],
  ["NO", "Ostfold", "31"],
  ["NO", "Troms", "55"],
  ["ZA", "Gauteng", "GP"],
  ["ZA", "KwaZulu-Natal", "KZN"],
  ["KZ", "Almaty", "75"],
  ["KZ", "Almaty Region", "19"],
  ["KZ", "East Kazakhstan", "63"],
  ["KZ", "Karaganda", "35"],
  ["KZ", "Zhetysu Region", "33"],
  ["MK", "Bitola", "501"],
  ["NP", "Bagmati Province", "P3"],
  ["NP", "Gandaki Pradesh", "P4"],
  ["GT", "Guatemala", "01"],
  ["GT", "Departamento de Guatemala", "01"],
  ["EE", "Harjumaa", "37"],
  ["EE", "Harju", "37"],
  ["DE", "Bavaria", "BY"],
  ["DE", "Bayern", "BY"],
  ["DE", "Baden-Wurttemberg", "BW"],
  ["IT", "Tuscany", "52"],
  ["ES", "Catalonia", "CT"],
  ["AT", "Vienna", "9"],
  ["JP", "Tokyo", "13"],
  ["BR", "Sao Paulo", "SP"],
  ["GB", "England", "ENG"],
  ["GB", "Scotland", "SCT"],
  ["US", "New Jersey", "NJ"],
  ["CA", "Quebec", "QC"],
  ["FR", "Île-de-France", "IDF"],
  ["IN", "Odisha", "OD"],
  ["AU", "New South Wales", "NSW"],
  ["NL", "North Holland", "NH"],
  ["CH", "Zurich", "ZH"],
  ["MX", "Mexico City", "CMX"],
  ["TR", "Istanbul", "34"],
  ["UA", "Kyiv City", "30"],
  ["RU", "Moscow", "MOW"],
  ["ES", "Madrid", "MD"],
  ["AR", "Buenos Aires", "B"],
  ["DE", "State of Berlin", "BE"],
  ["DE", "Free and Hanseatic City of Hamburg", "HH"],
])("a name is found with and without its kind: %s %s is %j", (country, name, code) => {
  expect(regionOf(country, name)).toBe(code);
});

test("every withdrawn code is withdrawn, and has an heir of today", () => {
  const formers = [...formerRegions()];
  expect(formers.length).toBeGreaterThan(240);
  expect(formers.filter(isRegion)).toEqual([]);
  expect(formers.filter((code) => !isRegion(`${code.slice(0, 3)}${heirOfRegion(code)}`))).toEqual([]);
});
