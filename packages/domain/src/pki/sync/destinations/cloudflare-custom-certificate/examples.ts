import { randomBytes } from 'node:crypto';
import { Cloudflare } from '../../../../apps/cloudflare/testing/cloudflare.ts';
import type { PkiSyncExample } from '../../testing/example.ts';

const RETRY_AFTER = 300;

export const example: PkiSyncExample = {
  target() {
    const account = new Cloudflare();
    const zoneId = randomBytes(16).toString('hex');
    account.zones.set(zoneId, 'example.com');
    const { certificates } = account;
    certificates.isSni = true;
    return {
      credentials: { method: 'api-token', accountId: account.accountId, apiToken: account.token },
      config: { zoneId },
      retryAfter: RETRY_AFTER,
      serve: (standIns) => standIns.serve('api.cloudflare.com', account.listener),
      setClock: (now) => void (certificates.now = now),
      held: () => certificates.all.map(({ id, ...held }) => ({ ...held, reference: id, name: undefined })),
      put: (_, held) => void certificates.add(held),
      setAccident(accident) {
        account.fault = (call) => {
          const affected = accident === 'kept' ? /^DELETE / : /^(?:POST|PATCH) .*\/custom_certificates/;
          if (!accident || !affected.test(call)) return undefined;
          if (accident === 'lost') return 'lost';
          return accident === 'throttled'
            ? { status: 429, headers: { 'retry-after': String(RETRY_AFTER) } }
            : { status: 400 };
        };
      },
    };
  },
};
