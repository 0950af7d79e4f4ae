import { language } from './language.ts';

/** Forms of a text, by the plural rules of the language; `other` is that of all numbers without their own. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

const RULES = new Intl.PluralRules(language);

/** The form for a number: `plural(n, { one: 'One right changes.', other: `${n} rights change.` })`. */
export const plural = (n: number, forms: Forms): string => forms[RULES.select(n)] ?? forms.other;

/** `1 secret`, `2 secrets`: `count(n, { one: 'secret', other: 'secrets' })`. */
export const count = (n: number, forms: Forms): string => `${n} ${plural(n, forms)}`;
