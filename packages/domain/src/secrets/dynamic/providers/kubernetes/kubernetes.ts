import { z } from 'zod';
import { apiServerOf, ClusterFault, refusal, type ApiServer } from '../../../../apps/kubernetes/index.ts';
import { badRequest, text } from '../../../../kernel/index.ts';
import { defineProvider, type ProviderIo } from '../../provider.ts';
import { Inputs, NAMESPACE, namespacesOf } from './inputs.ts';
import { rightsOf, wordsOf } from './rights.ts';
import { entityOf, pathsOf, readEntity, tokenOfAccount, tokenOfNewAccount } from './tokens.ts';

/** Seconds: the minimum lifetime of tokens in Kubernetes. */
const LEAST_LIFE = 600;

/** Tokens of service accounts: of an existing one, or of one that is created for each lease. */
export const kubernetes = defineProvider({
  type: 'kubernetes',
  title: 'Kubernetes',
  inputs: Inputs,
  data: z.object({ TOKEN: z.string() }),
  leaseConfig: z.object({ namespace: text(63).regex(NAMESPACE, 'Expected the name of a namespace').optional() }),
  username: () => ({ maxLength: 63, alphabet: /[a-z0-9-]/ }),
  target: ({ url }) => new URL(url).href.replace(/\/+$/, ''),
  check: (inputs, io) =>
    inCluster(inputs, io, async (cluster) => {
      const rights = rightsOf(inputs);
      const answers = await Promise.all(rights.map((right) => cluster.may(right)));
      const missing = rights.filter((_, i) => !answers[i]).map(wordsOf);
      if (missing.length > 0)
        throw badRequest('kubernetes.rights', `clusterToken lacks the permissions ${missing.join(', ')}`);
    }),
  prepare(inputs, { username, config }) {
    const allowed = namespacesOf(inputs.namespace);
    const { namespace = allowed[0]! } = config as { namespace?: string };
    if (!allowed.includes(namespace))
      throw badRequest('kubernetes.namespace', `Allowed namespaces: ${allowed.join(', ')}`);
    return entityOf(inputs, namespace, username);
  },
  issue: (inputs, lease, io) =>
    inCluster(inputs, io, async (cluster) => {
      const { namespace, name } = readEntity(lease);
      const life = Math.max(LEAST_LIFE, Math.ceil((lease.expireAt.getTime() - io.now.getTime()) / 1000));
      const audiences = inputs.audiences.length > 0 ? inputs.audiences : undefined;
      const spec = { audiences, expirationSeconds: life };
      const token = await (inputs.credentialType === 'static'
        ? tokenOfAccount(cluster, { namespace, name, account: inputs.serviceAccountName }, spec)
        : tokenOfNewAccount(cluster, lease, inputs, spec));
      return { TOKEN: io.secret(token) };
    }),
  renew: () =>
    Promise.reject(
      badRequest(
        'kubernetes.not_renewable',
        'The expiry of a Kubernetes token cannot be changed: create another lease',
      ),
    ),
  revoke: (inputs, lease, io) =>
    inCluster(inputs, io, async (cluster) => {
      // The account, or the bound object, is deleted first: this invalidates the token.
      for (const path of pathsOf(readEntity(lease))) await cluster.remove(path);
    }),
});

/** Errors of the API server include whether an earlier step was done. */
async function inCluster<T>(inputs: Inputs, io: ProviderIo, work: (cluster: ApiServer) => Promise<T>): Promise<T> {
  const cluster = apiServerOf(io.fetch, inputs);
  let made = 0;
  try {
    return await work({
      ...cluster,
      async create(path, object) {
        const uid = await cluster.create(path, object);
        made++;
        return uid;
      },
    });
  } catch (error) {
    throw error instanceof ClusterFault ? refusal(new URL(inputs.url).hostname, error, made > 0) : error;
  }
}
