import { z } from 'zod';
import type { DomainError } from '../kernel/schema.ts';

/** The members of a family, by the names under which they are published. */
export interface Family<Member> {
  readonly members: readonly Member[];
  /** In the order of the members. */
  readonly names: readonly string[];
  /** `undefined` for a name that this release does not know. */
  find(name: string): Member | undefined;
  /** @throws DomainError of the family, for an unknown name. */
  require(name: string): Member;
}

/**
 * Defines a family by its members.
 *
 * @param key The field with the name of a member.
 * @param unknown The error for an unknown name; `offered` lists the known ones.
 * @throws Error if two members have the same name.
 */
export function defineFamily<Key extends string, Member extends Readonly<Record<Key, string>>>(
  members: readonly Member[],
  key: Key,
  unknown: (name: string, offered: string) => DomainError,
): Family<Member> {
  const byName = new Map(members.map((member) => [member[key] as string, member]));
  if (byName.size < members.length) throw new Error(`Two members of a family have the same ${key}`);
  const names = [...byName.keys()];
  return {
    members,
    names,
    find: (name) => byName.get(name),
    require(name) {
      const member = byName.get(name);
      if (!member) throw unknown(name, names.join(', '));
      return member;
    },
  };
}

interface WithInputs {
  readonly type: string;
  /** For people. */
  readonly title: string;
  readonly inputs: z.ZodType;
}
type ChoiceOf<One> = One extends { type: infer Type extends string; inputs: infer Inputs extends z.ZodType }
  ? z.ZodObject<{ type: z.ZodLiteral<Type>; inputs: Inputs }>
  : never;

/** A member and its inputs, as callers choose it: `{type: 'totp', inputs: {…}}`. */
export const choiceOf = <const Members extends readonly WithInputs[]>(members: Members) =>
  z.discriminatedUnion(
    'type',
    members.map(({ type, title, inputs }) => z.object({ type: z.literal(type), inputs }).meta({ title })) as never,
    `Supported: ${members.map(({ type }) => type).join(', ')}`,
  ) as z.ZodDiscriminatedUnion<readonly [ChoiceOf<Members[number]>, ...ChoiceOf<Members[number]>[]]>;
