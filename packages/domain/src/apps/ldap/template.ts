import {
  oneOf,
  placeholdersIn,
  readTemplate,
  type Placeholder,
  type Refuse,
  type TemplateValues,
  type TextTemplate,
} from '../../kernel/index.ts';

/** Names are read in any case: `{{Username}}` is `{{username}}`. */
export type Name = 'username' | 'password' | 'EncodedPassword';

/** Text of an LDIF with placeholders in it. */
export type Pieces = TextTemplate<Placeholder<Name>>;

/** The placeholders of values. */
export type Values = TemplateValues<Name>;

/** @throws DomainError 400 for a placeholder that is not known here, and for braces that are not closed. */
export const readPieces = (text: string, known: readonly Name[], refuse: Refuse): Pieces =>
  readTemplate(text, oneOf(known, refuse, { ignoreCase: true }));

export const uses = (pieces: Pieces, ...names: readonly Name[]): boolean =>
  placeholdersIn(pieces).some(({ name }) => names.includes(name));
