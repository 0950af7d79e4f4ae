import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { isDirectoryUrl } from '../../../../ldap/directory-url.ts';
import { OptionalStatement, Statement } from '../../fields.ts';

/** Names of SASL mechanisms would select these, and an empty name an anonymous bind (RFC 4513, section 5.1). */
const BindDn = text(1024)
  .trim()
  .regex(/[=@\\]/, 'Expected a distinguished name, for example cn=coffer,dc=example,dc=com')
  .describe('The account that creates the entries');

const shared = {
  url: text(2048)
    .trim()
    .refine(isDirectoryUrl, 'Expected the address of a directory, for example ldaps://directory.example.com')
    .meta({ examples: ['ldaps://directory.example.com'] }),
  binddn: BindDn,
  bindpass: sealed(text(1024).min(1), { sentTo: ['url', 'ca'] }),
  ca: CaCertificate.nullish().describe('PEM of the only trusted root certificate; ldap:// then uses StartTLS'),
};
const Dynamic = z.object({
  credentialType: z.literal('dynamic').optional().default('dynamic'),
  ...shared,
  creationLdif: Statement.describe('With {{username}}, {{password}} and {{EncodedPassword}}'),
  revocationLdif: Statement.describe('As creationLdif; {{password}} is then a new random password that is not stored'),
  rollbackLdif: OptionalStatement.describe('As creationLdif; runs if creationLdif fails midway'),
});
const Static = z.object({
  credentialType: z.literal('static'),
  ...shared,
  rotationLdif: Statement.describe('With {{password}} and {{EncodedPassword}}: changes the password of one entry'),
});
export const Inputs = z.discriminatedUnion('credentialType', [Dynamic, Static]);
export type Inputs = z.output<typeof Inputs>;
export type DynamicInputs = z.output<typeof Dynamic>;
export type StaticInputs = z.output<typeof Static>;
