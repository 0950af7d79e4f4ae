import { z } from 'zod';
import { sealed } from '../../../../family/index.ts';
import { badRequest, text } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { allows, CaCertificate, commaList, httpsUrl, Jwt } from '../../fields.ts';
import { PRIVATE } from '../../trust-root.ts';
import { reviewToken, refusedBy } from './token-review.ts';

const MAX_TOKEN = 20_000;
const MAX_NAME = 1024;

/** A token of a service account, which its cluster is asked about. */
export const kubernetesAuth = defineAuthMethod({
  kind: 'kubernetes-auth',
  title: 'Kubernetes Auth',
  answerKey: 'identityKubernetesAuth',
  config: z.object({
    kubernetesHost: httpsUrl().describe('The API server of the cluster, for example https://10.0.0.1:6443'),
    caCert: sealed(
      CaCertificate.default('').describe('PEM of the root certificate by which the API server is trusted'),
    ),
    tokenReviewerJwt: sealed(
      z
        .string()
        .trim()
        .max(MAX_TOKEN)
        .nullable()
        .default(null)
        .describe('The token with which Coffer calls the TokenReview API. Empty: the token of the login itself'),
      { sentTo: ['kubernetesHost', 'caCert'] },
    ),
    tokenReviewMode: z.enum(['api', 'gateway']).default('api').describe('Only `api` is supported'),
    gatewayId: text(MAX_NAME).nullable().default(null).describe('Only null is supported'),
    allowedNamespaces: commaList().describe('Comma-separated. Empty: any'),
    allowedNames: commaList().describe('Comma-separated service accounts. Empty: any'),
    allowedAudience: text(MAX_NAME).trim().describe('Required audience of the token. Empty: that of the API server'),
  }),
  trustRoot: PRIVATE,
  check({ tokenReviewMode, gatewayId }) {
    if (tokenReviewMode === 'gateway' || gatewayId)
      throw badRequest('kubernetes_auth.gateway', 'Gateways are not supported: omit gatewayId and use the mode `api`');
  },
  credentials: z.object({ jwt: Jwt }),
  async verify(config, { jwt }, { fetch }) {
    const { namespace, name } = await reviewToken(fetch, config, jwt);
    if (!allows(config.allowedNamespaces, namespace)) throw refusedBy('namespace', 'This namespace may not log in');
    if (!allows(config.allowedNames, name)) throw refusedBy('name', 'This service account may not log in');
    return { kubernetes: { namespace, name } };
  },
});
