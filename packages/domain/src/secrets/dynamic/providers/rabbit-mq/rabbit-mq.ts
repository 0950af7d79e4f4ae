import { z } from 'zod';
import { CaCertificate } from '../../../../crypto/index.ts';
import { sealed } from '../../../../family/index.ts';
import { badRequest, text } from '../../../../kernel/index.ts';
import { Port } from '../../fields.ts';
import { defineProvider } from '../../provider.ts';
import { ambiguousOutcome } from '../../../../family/index.ts';
import { reachManagement } from './management.ts';

const Pattern = text(1024).describe('A regular expression of resource names. Empty: none');

const Inputs = z.object({
  host: text(263)
    .trim()
    .toLowerCase()
    .transform((given) => given.replace(/\/+$/, ''))
    .pipe(z.string().regex(/^(?:https?:\/\/)?[^\s/?#@\\]+$/, 'Expected a host, with or without https:// or http://'))
    .describe('Of the management plugin; https:// where neither https:// nor http:// is said'),
  port: Port.describe('Port of the management plugin, for example 15672 or 15671'),
  tags: z
    .array(
      text(255)
        .trim()
        .regex(/^[^\s,]+$/, 'Expected a tag without commas and spaces'),
    )
    .max(50)
    .default([])
    .describe('Tags of the users, for example monitoring; messaging needs none'),
  username: text(255).min(1).describe('The user that creates the users; needs the tag administrator'),
  password: sealed(text(1024), { sentTo: ['host', 'port', 'ca'] }),
  ca: CaCertificate.nullish().describe(
    'PEM of the root certificate by which the server is trusted; excludes plain HTTP',
  ),
  virtualHost: z.object({
    name: text(255)
      .min(1)
      // A URL has no place for these.
      .refine((name) => name !== '.' && name !== '..', 'Expected another name'),
    permissions: z.object({ read: Pattern, write: Pattern, configure: Pattern }),
  }),
});

/** Users of a RabbitMQ with permissions in one virtual host, by its management plugin. */
export const rabbitMq = defineProvider({
  type: 'rabbit-mq',
  title: 'RabbitMQ',
  inputs: Inputs,
  data: z.object({ DB_USERNAME: z.string(), DB_PASSWORD: z.string() }),
  username: () => ({ maxLength: 128, alphabet: /[A-Za-z0-9_.-]/ }),
  target: ({ host, port }) => `rabbit-mq://${host.replace(/^https?:\/\//, '')}:${port}`,
  validate({ host, ca }) {
    if (ca && host.startsWith('http://'))
      throw badRequest('rabbit_mq.plain', 'ca requires https://, but host begins with http://');
  },
  async check(inputs, io) {
    const management = reachManagement(inputs, io);
    const { tags } = ((await management.find(['whoami'])) ?? {}) as { tags?: unknown };
    // Old ones answer a comma list.
    const held = Array.isArray(tags) ? tags : String(tags).split(',');
    if (!held.includes('administrator'))
      throw badRequest('rabbit_mq.administrator', `${inputs.username} needs the tag administrator`);
    const { name } = inputs.virtualHost;
    if (!(await management.find(['vhosts', name])))
      throw badRequest('rabbit_mq.virtual_host', `The virtual host ${name} does not exist`);
  },
  prepare: (_inputs, { username }) => username,
  async issue(inputs, { entityId }, io) {
    const management = reachManagement(inputs, io);
    const password = io.password();
    const { name, permissions } = inputs.virtualHost;
    await management.put(['users', entityId], { password, tags: inputs.tags.join(',') });
    await management.put(['permissions', name, entityId], permissions, ambiguousOutcome);
    return { DB_USERNAME: entityId, DB_PASSWORD: password };
  },
  async revoke(inputs, { entityId }, io) {
    const management = reachManagement(inputs, io);
    await management.remove(['users', entityId]);
    if (await management.find(['users', entityId]))
      throw badRequest('dynamic_secret.login_left', 'The user still exists after its deletion');
    // The server ends them by itself, in its time; older ones know no such call.
    await management.remove(['connections', 'username', entityId]).catch(() => undefined);
  },
});
