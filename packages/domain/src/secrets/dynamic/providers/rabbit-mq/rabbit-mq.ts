import { ambiguousOutcome, pathTo } from '../../../../family/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { defineProvider } from '../../provider.ts';
import { Inputs } from './inputs.ts';
import { reachManagement } from './management.ts';

/** Users of RabbitMQ with permissions in one virtual host, created with its management plugin. */
export const rabbitMq = defineProvider({
  type: 'rabbit-mq',
  title: 'RabbitMQ',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: () => ({ maxLength: 128, alphabet: /[A-Za-z0-9_.-]/ }),
  target: ({ host, port }) => `rabbit-mq://${host.replace(/^https?:\/\//, '')}:${port}`,
  validate({ host, ca }) {
    if (ca && host.startsWith('http://'))
      throw badRequest('rabbit_mq.plain', 'ca requires https://, but host begins with http://');
  },
  async check(inputs, io) {
    const management = reachManagement(inputs, io);
    const { tags } = ((await management.find('/api/whoami')) ?? {}) as { tags?: unknown };
    // Old versions return a comma-separated list.
    const held = Array.isArray(tags) ? tags : String(tags).split(',');
    if (!held.includes('administrator'))
      throw badRequest('rabbit_mq.administrator', `${inputs.username} needs the tag administrator`);
    const { name } = inputs.virtualHost;
    if (!(await management.find(pathTo`/api/vhosts/${name}`)))
      throw badRequest('rabbit_mq.virtual_host', `The virtual host ${name} does not exist`);
  },
  prepare: (_inputs, { username }) => username,
  async issue(inputs, { entityId }, io) {
    const management = reachManagement(inputs, io);
    const password = io.password();
    const { name, permissions } = inputs.virtualHost;
    await management.put(pathTo`/api/users/${entityId}`, { password, tags: inputs.tags.join(',') });
    await management.put(pathTo`/api/permissions/${name}/${entityId}`, permissions, ambiguousOutcome);
    return { DB_USERNAME: entityId, DB_PASSWORD: password };
  },
  async revoke(inputs, { entityId }, io) {
    const management = reachManagement(inputs, io);
    await management.remove(pathTo`/api/users/${entityId}`);
    if (await management.find(pathTo`/api/users/${entityId}`))
      throw badRequest('dynamic_secret.login_left', 'The user still exists after its deletion');
    // The server closes them itself later; older versions lack this call.
    await management.remove(pathTo`/api/connections/username/${entityId}`).catch(() => undefined);
  },
});
