import { z } from 'zod';
import { TrustedAddress } from '../../../../kernel/schema.ts';
import { ANYWHERE, Lockout, TrustedIps } from '../../settings.ts';

/** How it is configured for an identity. */
export const Config = z.object({
  clientId: z.string().describe('UUID'),
  clientSecretTrustedIps: z.array(TrustedAddress),
  ...Lockout,
});

/** The facts of a login. */
export const Credentials = z.object({
  clientId: z.string().trim().max(1024),
  clientSecret: z.string().trim().max(1024),
});

/** Fields whose input has another form than the stored one. */
export const Written = z.object({
  clientSecretTrustedIps: TrustedIps.default(ANYWHERE).describe('Addresses from which logins are accepted'),
});
