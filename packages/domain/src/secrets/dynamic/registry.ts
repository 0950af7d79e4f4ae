import { z } from 'zod';
import { badRequest } from '../../kernel/index.ts';
import type { AnyProvider, InputsSchema } from './provider.ts';
import { awsIam } from './providers/aws-iam/index.ts';
import { kubernetes } from './providers/kubernetes/index.ts';
import { ldap } from './providers/ldap/index.ts';
import { mongoDb } from './providers/mongo-db/index.ts';
import { rabbitMq } from './providers/rabbit-mq/index.ts';
import { redis } from './providers/redis/index.ts';
import { sqlDatabase } from './providers/sql-database/index.ts';
import { totp } from './providers/totp/index.ts';

/** Every provider. To add one: write it in `providers/` and name it here. */
const members = [sqlDatabase, awsIam, redis, mongoDb, rabbitMq, ldap, totp, kubernetes] as const;

export const providers: readonly AnyProvider[] = members;

/** @throws DomainError 400 for a row of a type that this release does not know. */
export function providerOf(type: string): AnyProvider {
  const provider = providers.find((one) => one.type === type);
  if (!provider) throw badRequest('dynamic_secret.provider', `There is no provider ${type} in this release`);
  return provider;
}

type Member = (typeof members)[number];
type ChoiceOf<One> = One extends { type: infer Type extends string; inputs: infer Inputs extends InputsSchema }
  ? z.ZodObject<{ type: z.ZodLiteral<Type>; inputs: Inputs }>
  : never;

/** A provider and its inputs, as callers choose it: `{type: 'totp', inputs: {…}}`. */
export const ProviderChoice = z.discriminatedUnion(
  'type',
  members.map(({ type, inputs }) => z.object({ type: z.literal(type), inputs })) as never,
  `Offered are: ${members.map(({ type }) => type).join(', ')}`,
) as z.ZodDiscriminatedUnion<readonly [ChoiceOf<Member>, ...ChoiceOf<Member>[]]>;
