import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { TrustedAddress } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { ANYWHERE, Lockout, readTrustedIps, TrustedIps } from '../../settings.ts';
import { PRIVATE } from '../../trust-root.ts';
import { logInByClientSecret } from './log-in.ts';

/** A client id and one of its client secrets. */
export const universalAuth = defineAuthMethod({
  kind: 'universal-auth',
  title: 'Universal Auth',
  answerKey: 'identityUniversalAuth',
  config: z.object({
    clientId: z.string().describe('UUID'),
    clientSecretTrustedIps: z.array(TrustedAddress),
    ...Lockout,
  }),
  trustRoot: PRIVATE,
  made: { clientId: randomUUID },
  written: {
    fields: z.object({
      clientSecretTrustedIps: TrustedIps.default(ANYWHERE).describe('Addresses from which logins are accepted'),
    }),
    read: ({ clientSecretTrustedIps: entries }) => (entries ? { clientSecretTrustedIps: readTrustedIps(entries) } : {}),
  },
  credentials: z.object({
    clientId: z.string().trim().max(1024),
    clientSecret: z.string().trim().max(1024),
  }),
  logIn: logInByClientSecret,
});
