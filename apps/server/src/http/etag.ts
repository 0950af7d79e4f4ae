import { hash } from 'node:crypto';
import type { Operation } from '@coffer/api';
import { z } from 'zod';

export type EtagOf = (input: object, state: string) => string;

/**
 * Creates the strong tags (RFC 9110, section 8.8.3) of an operation's responses, from the request and the state. Other
 * formats of the response have other tags, because processes of two releases may serve one client. `mark` is a keyed
 * hash, so a client can only have tags that it received with a response.
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
