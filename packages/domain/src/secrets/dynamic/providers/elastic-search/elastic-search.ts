import { z } from 'zod';
import { JsonApi, jsonOf, pathTo } from '../../../../family/index.ts';
import { badRequest, type OutboundResponse } from '../../../../kernel/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { originOf } from '../../origin.ts';
import { defineProvider, type ProviderIo } from '../../provider.ts';
import { Inputs } from './inputs.ts';

const Failure = z.object({ error: z.union([z.string(), z.object({ reason: z.string().catch('') })]) });

/** `{"error": {"type": "security_exception", "reason": "missing authentication credentials"}, "status": 401}` */
function wordsOf(answer: OutboundResponse): string {
  const { data } = Failure.safeParse(jsonOf(answer));
  return typeof data?.error === 'string' ? data.error : (data?.error.reason ?? '');
}

function clusterOf(inputs: Inputs, io: ProviderIo): JsonApi {
  const { auth, ca } = inputs;
  const [scheme, id, secret] =
    auth.type === 'user' ? ['Basic', auth.username, auth.password] : ['ApiKey', auth.apiKeyId, auth.apiKey];
  const authorization = `${scheme} ${io.secret(Buffer.from(`${id}:${secret}`).toString('base64'))}`;
  return new JsonApi(io, { url: originOf(inputs), headers: { authorization }, ca, words: wordsOf });
}

/** Users of the native realm of a cluster: https://www.elastic.co/docs/api/doc/elasticsearch/group/endpoint-security */
export const elasticSearch = defineProvider({
  type: 'elastic-search',
  title: 'Elasticsearch',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: () => ({ maxLength: 507, alphabet: /[A-Za-z0-9_.@-]/ }),
  target: (inputs) => `elastic-search://${originOf(inputs).replace(/^https?:\/\//, '')}`,
  validate({ host, ca }) {
    if (ca && host.startsWith('http://'))
      throw badRequest('elastic_search.plain', 'ca requires https://, but host begins with http://');
  },
  async check(inputs, io) {
    const body = { cluster: ['manage_security'] };
    const { has_all_requested: isAllowed } = await clusterOf(inputs, io).read(
      z.object({ has_all_requested: z.boolean() }),
      '/_security/user/_has_privileges',
      { method: 'POST', body },
    );
    if (!isAllowed)
      throw badRequest('elastic_search.privilege', 'The user or API key needs the cluster privilege manage_security');
  },
  prepare: (_inputs, { username }) => username,
  async issue(inputs, { entityId }, io) {
    const password = io.password();
    const body = { password, roles: inputs.roles, full_name: 'Managed by Coffer' };
    await clusterOf(inputs, io).ask(pathTo`/_security/user/${entityId}`, { method: 'PUT', body });
    return { DB_USERNAME: entityId, DB_PASSWORD: password };
  },
  async revoke(inputs, { entityId }, io) {
    const cluster = clusterOf(inputs, io);
    const path = pathTo`/_security/user/${entityId}`;
    await cluster.ask(path, { method: 'DELETE', accepts: [404] });
    if ((await cluster.ask(path, { accepts: [404] })).status !== 404)
      throw badRequest('dynamic_secret.login_left', 'The user still exists after its deletion');
  },
});
