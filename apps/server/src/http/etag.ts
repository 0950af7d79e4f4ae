import { hash } from 'node:crypto';
import type { Operation } from '@coffer/api';
import { z } from 'zod';

export type EtagOf = (input: object, state: string) => string;

/**
 * Makes the strong tags (RFC 9110, section 8.8.3) of an operation's answers, each from the question and the state that
 * it was answered in. Answers of another form have other tags, since processes of two releases may serve one client.
 * `mark` is what only Coffer can make of a text: whoever has a tag was given it, with an answer.
 */
export function etagsOf(
  { path, procedure }: Pick<Operation, 'path' | 'procedure'>,
  mark: (text: string) => string,
): EtagOf {
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
