import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { isDirectoryUrl } from '../../../../ldap/directory-url.ts';
import { Lockout } from '../../settings.ts';

const MAX = 2048;

/** How it is configured for an identity. */
export const Config = z.object({
  url: z
    .string()
    .trim()
    .max(MAX, { abort: true })
    .refine(isDirectoryUrl, 'Expected ldap://host or ldaps://host, with a port where it is another')
    .meta({ examples: ['ldaps://ldap.example.com'] }),
  bindDN: sealed(text(MAX).min(1).describe('The account that searches for users')),
  bindPass: sealed(text(MAX).min(1), { sentTo: ['url', 'ldapCaCertificate'] }),
  searchBase: text(MAX).describe('The entry below which users are searched'),
  searchFilter: text(MAX).default('(uid={{username}})').describe('Must match exactly one entry'),
  allowedFields: z
    .array(
      z.object({
        key: text(255).min(1),
        value: text(MAX)
          .regex(/[^\s,]/)
          .describe('Comma-separated'),
      }),
    )
    .max(100)
    .default([])
    .describe('Attributes that the user must have; each needs one of these values'),
  ldapCaCertificate: sealed(
    CaCertificate.default('').describe(
      'PEM of the root certificate by which the directory is trusted; ldap:// then uses StartTLS',
    ),
  ),
  ...Lockout,
});

/** The facts of a login. */
export const Credentials = z.object({ username: z.string().min(1).max(1024), password: z.string().max(1024) });
