import { z } from 'zod';
import { refuseIn } from '../../statement.ts';
import type { Inputs } from './inputs.ts';

const NAME = '{{username}}';
const Creation = z.strictObject({
  UserId: z.literal(NAME),
  UserName: z.literal(NAME),
  Engine: z.enum(['redis', 'valkey', 'REDIS', 'VALKEY']).default('redis'),
  Passwords: z.tuple([z.literal('{{password}}')]),
  AccessString: z.string().min(1).max(2048),
});
const Revocation = z.strictObject({ UserId: z.literal(NAME) });

/** The JSON of a statement as a schema reads it. @throws DomainError 400 */
function readIn<Schema extends z.ZodType>(field: string, schema: Schema, text: string): z.output<Schema> {
  const { success, data, error } = schema.safeParse(jsonIn(text));
  if (success) return data;
  throw refuseIn(field)(error.issues.map(({ path, message }) => `${path.join('.') || 'JSON'}: ${message}`).join('; '));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The parameters of `CreateUser` for a login. @throws DomainError 400 `dynamic_secret.statement` */
export function userOf({ creationStatement }: Inputs, username: string, password: string): Record<string, string> {
  const { Engine, AccessString } = readIn('creationStatement', Creation, creationStatement);
  return { UserId: username, UserName: username, Engine, 'Passwords.member.1': password, AccessString };
}

/** @throws DomainError 400 `dynamic_secret.statement` */
export function requireStatements(inputs: Inputs): void {
  userOf(inputs, 'x', 'x');
  readIn('revocationStatement', Revocation, inputs.revocationStatement);
}
