import { z } from 'zod';
import { text } from '../../../kernel/schema.ts';
import { commaList, entriesOf } from '../fields.ts';

const MAX_NAME = 255;
const MAX_TEXT = 2048;
const MAX_CLAIMS = 100;
const MAX_GLOBS = 100;

/** Texts by name, few enough to be checked in every login. */
const textsByName = <Value extends z.ZodType>(value: Value) =>
  z
    .record(text(MAX_NAME).min(1), value)
    .refine((given) => Object.keys(given).length <= MAX_CLAIMS, `At most ${MAX_CLAIMS} claims`);

/** A comma list of globs, few enough to be read in every login. */
const globList = () => commaList().refine((list) => entriesOf(list).length <= MAX_GLOBS, `At most ${MAX_GLOBS} globs`);

/** The bindings of methods with signed tokens. Empty ones are not checked. */
export const Bound = {
  boundAudiences: globList().default('').describe('Comma-separated globs; an audience of the token must match one'),
  boundClaims: textsByName(globList().min(1))
    .default({})
    .describe('By the dotted path of a claim: comma-separated globs'),
  boundSubject: text(MAX_TEXT).trim().default('').describe('A glob that the subject of the token must match'),
};

export type BoundFields = z.output<z.ZodObject<typeof Bound>>;

/** Names under which claims are bound to the token that is issued, and the dotted paths of these claims. */
export const ClaimMapping = textsByName(text(MAX_NAME).min(1));

/** An issuer, as the tokens name it. */
export const Issuer = text(MAX_TEXT).trim();
