import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/pem.ts';
import { sealed } from '../../../../family/sealed-field.ts';
import { text } from '../../../../kernel/schema.ts';
import { NoGateway } from '../../fields.ts';

/** RFC 1123, as namespaces have it, and as accounts do. */
export const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const ACCOUNT = /^(?=.{1,253}$)[a-z0-9]+(?:(?:-+|\.)[a-z0-9]+)*$/;
const MAX_NAMESPACES = 20;

/** The entries of a comma list. */
export const namespacesOf = (list: string): string[] => list.split(',').map((one) => one.trim());

const ClusterUrl = text(2048)
  .trim()
  .refine((given) => {
    const url = URL.parse(given);
    return url?.protocol === 'https:' && !url.username && !url.password && !/[?#]/.test(given);
  }, 'Expected an https URL without user name, query and fragment')
  .meta({ examples: ['https://cluster.example.com:6443'] });

const shared = {
  url: ClusterUrl.describe('The API server of the cluster'),
  clusterToken: sealed(
    text(20_000)
      .trim()
      .regex(/^[\x21-\x7e]+$/, 'Expected a token')
      .describe('The token with which Coffer calls the API server'),
    { sentTo: ['url', 'ca'] },
  ),
  ca: CaCertificate.nullish().describe('PEM of the root certificate by which the API server is trusted'),
  sslEnabled: z.boolean().optional().default(false).describe('Ignored: certificates are always verified'),
  gatewayId: NoGateway,
  authMethod: z.literal('api', 'Supported: api. Gateways are not supported').optional().default('api'),
  audiences: z
    .array(text(1024).trim().min(1))
    .max(20)
    .default([])
    .describe('Audiences of the tokens. Empty: the API server'),
};
const Static = z.object({
  credentialType: z.literal('static'),
  ...shared,
  namespace: text(63).trim().regex(NAMESPACE, 'Expected the name of one namespace'),
  serviceAccountName: text(253).trim().regex(ACCOUNT, 'Expected the name of a service account'),
});
const Dynamic = z.object({
  credentialType: z.literal('dynamic'),
  ...shared,
  namespace: text(2048)
    .trim()
    .refine(
      (list) => namespacesOf(list).length <= MAX_NAMESPACES && namespacesOf(list).every((one) => NAMESPACE.test(one)),
      `Expected at most ${MAX_NAMESPACES} namespaces, comma-separated`,
    )
    .describe('Comma-separated namespaces for accounts. A lease selects one; default: the first'),
  roleType: z
    .enum(['cluster-role', 'role'])
    .describe('cluster-role: in all namespaces; role: in the namespace of the account'),
  role: text(253)
    .trim()
    .regex(/^(?!\.\.?$)[^/%]+$/, 'Expected the name of a role'),
});
export const Inputs = z.discriminatedUnion('credentialType', [Static, Dynamic], 'Supported: static, dynamic');
export type Inputs = z.output<typeof Inputs>;
export type DynamicInputs = z.output<typeof Dynamic>;
