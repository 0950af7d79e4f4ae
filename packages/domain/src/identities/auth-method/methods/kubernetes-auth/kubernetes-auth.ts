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
    kubernetesHost: httpsUrl().describe('The API server of the cluster, such as https://10.0.0.1:6443'),
    caCert: sealed(CaCertificate.default('').describe('PEM of the root that the API server is trusted by')),
    tokenReviewerJwt: sealed(
      z
        .string()
        .trim()
        .max(MAX_TOKEN)
        .nullable()
        .default(null)
        .describe('What Coffer asks with; without it, the token that is to be reviewed'),
      { sentTo: ['kubernetesHost', 'caCert'] },
    ),
    tokenReviewMode: z.enum(['api', 'gateway']).default('api').describe('Only api is offered'),
    gatewayId: text(MAX_NAME).nullable().default(null).describe('Only null is offered'),
    allowedNamespaces: commaList().describe('Comma list; nothing: any'),
    allowedNames: commaList().describe('Comma list of service accounts; nothing: any'),
    allowedAudience: text(MAX_NAME).trim().describe('The token must be meant for it; nothing: for the API server'),
  }),
  trustRoot: PRIVATE,
  check({ tokenReviewMode, gatewayId }) {
    if (tokenReviewMode === 'gateway' || gatewayId)
      throw badRequest(
        'kubernetes_auth.gateway',
        'There are no gateways here: leave out gatewayId and use the mode api',
      );
  },
  credentials: z.object({ jwt: Jwt }),
  async verify(config, { jwt }, { fetch }) {
    const { namespace, name } = await reviewToken(fetch, config, jwt);
    if (!allows(config.allowedNamespaces, namespace)) throw refusedBy('namespace', 'This namespace may not log in');
    if (!allows(config.allowedNames, name)) throw refusedBy('name', 'This service account may not log in');
    return { kubernetes: { namespace, name } };
  },
});
