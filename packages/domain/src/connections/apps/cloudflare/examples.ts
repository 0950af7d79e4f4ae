import { Cloudflare } from '../../../apps/cloudflare/testing/cloudflare.ts';
import type { AppExample } from '../../app-connection/testing/example.ts';

export const example: AppExample = {
  standIn() {
    const cloudflare = new Cloudflare();
    for (let n = 0; n < 120; n++) cloudflare.zones.set(`zone${n}`, `${n}.example.org`);
    const shown = { accountId: cloudflare.accountId };
    return {
      hosts: { 'api.cloudflare.com': cloudflare.listener },
      methods: {
        'api-token': {
          ...{ given: { ...shown, apiToken: cloudflare.token }, shown, secret: cloudflare.token },
          wrong: { apiToken: 'another-token' },
          elsewhere: { accountId: '023e105f4ecef8ad9ca31a8372d0c353' },
        },
      },
      lists: { 'cloudflare-zones': { answer: Array.from(cloudflare.zones, ([id, name]) => ({ id, name })) } },
    };
  },
};
