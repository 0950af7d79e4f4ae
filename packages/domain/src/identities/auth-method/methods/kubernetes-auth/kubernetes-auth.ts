import { badRequest } from '../../../../kernel/index.ts';
import { defineAuthMethod } from '../../auth-method.ts';
import { allows } from '../../fields.ts';
import { PRIVATE } from '../../trust-root.ts';
import { Config, Credentials } from './inputs.ts';
import { refusedBy, reviewToken } from './token-review.ts';

/** A token of a service account, verified by its cluster. */
export const kubernetesAuth = defineAuthMethod({
  kind: 'kubernetes-auth',
  title: 'Kubernetes Auth',
  answerKey: 'identityKubernetesAuth',
  config: Config,
  trustRoot: PRIVATE,
  check({ tokenReviewMode, gatewayId }) {
    if (tokenReviewMode === 'gateway' || gatewayId)
      throw badRequest('kubernetes_auth.gateway', 'Gateways are not supported: omit gatewayId and use the mode `api`');
  },
  isVerifiedElsewhere: true,
  credentials: Credentials,
  async verify(config, { jwt }, { fetch }) {
    const { namespace, name } = await reviewToken(fetch, config, jwt);
    if (!allows(config.allowedNamespaces, namespace)) throw refusedBy('namespace', 'This namespace may not log in');
    if (!allows(config.allowedNames, name)) throw refusedBy('name', 'This service account may not log in');
    return { kubernetes: { namespace, name } };
  },
});
