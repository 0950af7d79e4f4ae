import { badRequest } from '../../../../kernel/index.ts';
import { splitAtBraces } from '../../braces.ts';

/** Text with placeholders in it: what stands there, and names of what is put in. */
export type Piece = string | { readonly placeholder: Placeholder };

/** They are read in any case: `{{Username}}` is `{{username}}`. */
export type Placeholder = 'username' | 'password' | 'EncodedPassword';

/** What is put in. */
export type Values = Readonly<Partial<Record<Placeholder, string>>>;

/** Says what is wrong with a field. */
export type Refuse = (why: string) => Error;

export const refuseIn =
  (field: string): Refuse =>
  (why) =>
    badRequest('dynamic_secret.statement', `${field}: ${why}`, { field });

/** @throws DomainError 400 for a placeholder that is not known here, and for braces that are not closed. */
export function readPieces(text: string, known: readonly Placeholder[], refuse: Refuse): Piece[] {
  return splitAtBraces(text).flatMap((piece): Piece[] => {
    if (!piece.includes('{{')) return piece === '' ? [] : [piece];
    const name = /^\{\{\s*(\w+)\s*\}\}$/.exec(piece)?.[1]?.toLowerCase();
    const placeholder = known.find((one) => one.toLowerCase() === name);
    if (!placeholder) {
      const others = known.length > 0 ? `, but ${known.map((one) => `{{${one}}}`).join(', ')}` : ' here, nor any other';
      throw refuse(`it does not know ${piece.slice(0, 40)}${others}`);
    }
    return [{ placeholder }];
  });
}

/** Puts the values in, each in the way in which it is written there. */
export const fill = (
  pieces: readonly Piece[],
  values: Values,
  write: (value: string, of: Placeholder) => string,
): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? piece : write(valueOf(values, piece.placeholder), piece.placeholder)))
    .join('');

export function valueOf(values: Values, placeholder: Placeholder): string {
  const value = Object.hasOwn(values, placeholder) ? values[placeholder] : undefined;
  if (value === undefined) throw new Error(`There is no ${placeholder} for an LDIF`);
  return value;
}

export const uses = (pieces: readonly Piece[], ...placeholders: readonly Placeholder[]): boolean =>
  pieces.some((piece) => typeof piece === 'object' && placeholders.includes(piece.placeholder));
