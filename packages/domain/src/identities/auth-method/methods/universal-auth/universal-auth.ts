import { randomUUID } from 'node:crypto';
import { defineAuthMethod } from '../../auth-method.ts';
import { readTrustedIps } from '../../settings.ts';
import { PRIVATE } from '../../trust-root.ts';
import { Config, Credentials, Written } from './inputs.ts';
import { logInByClientSecret } from './log-in.ts';

/** A client ID and one of its client secrets. */
export const universalAuth = defineAuthMethod({
  kind: 'universal-auth',
  title: 'Universal Auth',
  answerKey: 'identityUniversalAuth',
  config: Config,
  trustRoot: PRIVATE,
  made: { clientId: randomUUID },
  written: {
    fields: Written,
    read: ({ clientSecretTrustedIps: entries }) => (entries ? { clientSecretTrustedIps: readTrustedIps(entries) } : {}),
  },
  credentials: Credentials,
  logIn: logInByClientSecret,
});
