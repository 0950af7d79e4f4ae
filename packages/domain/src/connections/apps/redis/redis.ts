import { openRedis, type RedisSession } from '../../../apps/redis/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { databaseFields } from '../../sql-database.ts';

/** Does work in a session of its own, which it closes. */
export type RedisAccess = <T>(work: (session: RedisSession) => Promise<T>) => Promise<T>;

export const redis = defineConnector({
  app: 'redis',
  title: 'Redis',
  methods: { 'username-and-password': { credentials: databaseFields(6379).omit({ database: true }) } },
  systemOf: ({ host, port }) => ({ name: `${host.replace(/\.$/, '')}:${port}` }),
  connect:
    ({ sslEnabled, sslCertificate, ...server }, remote): RedisAccess =>
    async (work) => {
      const ca = sslEnabled ? sslCertificate : null;
      const session = await openRedis({ ...server, ca, isSecure: sslEnabled }, remote.connect);
      try {
        return await work(session.client);
      } finally {
        session.close();
      }
    },
  // The login asks who it is.
  check: (access) => access(() => Promise.resolve()),
});
