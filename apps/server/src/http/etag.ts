import { hash } from 'node:crypto';
import type { Operation } from '@coffer/api';
import { remembering } from '@coffer/domain';
import { z } from 'zod';

export type EtagOf = (input: object, state: string) => string;

type Mark = (text: string) => string;

/** How many marks are remembered, and of texts with how many characters. */
const [MAX_KNOWN, MAX_TEXT] = [5_000, 1_000];

/** Remembers marks: a keyed hash costs as much as all other work for a response that is kept. */
export const rememberingMarks = (mark: Mark): Mark => remembering(mark, MAX_KNOWN, MAX_TEXT);

/**
 * Creates the strong tags (RFC 9110, section 8.8.3) of an operation's responses, from the request and the state. Other
 * formats of the response have other tags, because processes of two releases may serve one client. `mark` is a keyed
 * hash, so a client can only have tags that it received with a response.
 */
export function etagsOf({ path, procedure }: Pick<Operation, 'path' | 'procedure'>, mark: Mark): EtagOf {
  let form: string | undefined;
  return (input, state) => {
    form ??= `${path} ${formOf(procedure)}`;
    return `"${mark(`${form}\n${state}\n${JSON.stringify(input)}`)}"`;
  };
}

function formOf({ _def: { output } }: Operation['procedure']): string {
  const schema = output && z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
  return hash('sha256', JSON.stringify(schema ?? null), 'base64url');
}
