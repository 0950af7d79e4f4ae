import { z } from 'zod';
import { commaList, Jwt } from '../../fields.ts';

/** How it is configured for an identity. */
export const Config = z.object({
  type: z
    .enum(['iam', 'gce'])
    .describe('`iam`: a JWT signed by the service account; `gce`: an ID token of the metadata server'),
  allowedServiceAccounts: commaList()
    .default('')
    .describe('Comma-separated e-mail addresses. Empty: any service account of allowedProjects'),
  allowedProjects: commaList()
    .default('')
    .describe('Comma-separated project IDs, for gce. Empty: any project of allowedServiceAccounts'),
  allowedZones: commaList().default('').describe('Comma-separated zones, for gce. Empty: any'),
});

/** The facts of a login. */
export const Credentials = z.object({ jwt: Jwt });
