import { z } from 'zod';
import { sealed } from '../../../../family/index.ts';
import { badRequest, text } from '../../../../kernel/index.ts';
import { isDirectoryUrl, isFilterTemplate } from '../../../../ldap/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { CaCertificate } from '../../fields.ts';
import { Lockout } from '../../settings.ts';
import { PRIVATE } from '../../trust-root.ts';
import { verifyUser } from './verify-user.ts';
import { userSubject } from './user-subject.ts';

const MAX = 2048;

/** A user of a directory and the password. */
export const ldapAuth = defineAuthMethod({
  kind: 'ldap-auth',
  title: 'LDAP Auth',
  answerKey: 'identityLdapAuth',
  config: z.object({
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
  }),
  trustRoot: PRIVATE,
  notOffered: { templateId: 'Templates are not supported: send url, bindDN, bindPass and searchBase' },
  check({ searchFilter }) {
    if (!isFilterTemplate(searchFilter))
      throw badRequest('ldap_auth.filter', 'searchFilter must be an LDAP filter that contains {{username}} as a value');
  },
  requiresMaxTTL: true,
  credentials: z.object({ username: z.string().min(1).max(1024), password: z.string().max(1024) }),
  lockout: (config, { username }) =>
    config.lockoutEnabled
      ? {
          subject: userSubject('name', username),
          threshold: config.lockoutThreshold,
          durationSeconds: config.lockoutDurationSeconds,
          resetSeconds: config.lockoutCounterResetSeconds,
        }
      : undefined,
  verify: verifyUser,
});
