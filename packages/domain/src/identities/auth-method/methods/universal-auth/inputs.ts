import { z } from 'zod';
import { TrustedAddress } from '../../../../kernel/schema.ts';
import { ANYWHERE, Lockout, TrustedIps } from '../../settings.ts';

/** How it is configured for an identity. */
export const Config = z.object({
  clientId: z.string().describe('UUID'),
  clientSecretTrustedIps: z.array(TrustedAddress),
  ...Lockout,
});

/** What a login gives. */
export const Credentials = z.object({
  clientId: z.string().trim().max(1024),
  clientSecret: z.string().trim().max(1024),
});

/** What is written in another form than it is stored. */
export const Written = z.object({
  clientSecretTrustedIps: TrustedIps.default(ANYWHERE).describe('Addresses from which logins are accepted'),
});
