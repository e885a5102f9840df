import type { Words } from "./words.ts";

export const words: Words = {
  rtl: true,
  titleCountry: "غير متاح في بلدك",
  titleRegion: "غير متاح في منطقتك",
  titleUnknown: "تعذّر تحديد موقعك",
  message: "لا يوفّر الناشر هذه الصفحة في المكان الذي أنت فيه الآن.",
  messageUnknown: "هذه الصفحة متاحة في أماكن معيّنة فقط، ولم نتمكّن من تحديد مكانك.",
  heading: "متاح لك بدلًا من ذلك",
  sponsored: "إعلان",
  featured: "مميّز",
  action: "عرض التفاصيل",
  newTab: "يُفتح في علامة تبويب جديدة",
  terms: "الشروط والأحكام",
  commission: "هذه العروض إعلانات، وقد يحصل الناشر على عمولة إذا استفدت منها.",
  support: "تواصل مع الدعم",
  close: "إغلاق",
};
