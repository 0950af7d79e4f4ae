import { AwsAccount } from '../../../../apps/aws/testing/account.ts';
import type { ProviderExample } from '../../testing/example.ts';

const user = { UserId: '{{username}}', UserName: '{{username}}', Engine: 'redis', Passwords: ['{{password}}'] };
const inputs = {
  clusterName: 'shop',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'eu-central-1',
  creationStatement: JSON.stringify({ ...user, AccessString: 'on ~shop:* +@read' }),
  revocationStatement: '{"UserId": "{{username}}"}',
};

export const example: ProviderExample = {
  least: inputs,
  full: { ...inputs, ca: null },
  standIn() {
    const [account, another] = [new AwsAccount(), new AwsAccount()];
    const [listener, ofAnother] = [account.listener('elasticache'), another.listener('elasticache')];
    const given = { ...inputs, ...account.keys, region: account.region };
    return {
      host: `elasticache.${account.region}.amazonaws.com`,
      listener(request, response) {
        // Its clock is that of the caller.
        const at = String(request.headers['x-amz-date']);
        const iso = at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
        account.now = another.now = () => Date.parse(iso);
        const isOfAnother = String(request.headers.authorization).includes(another.keys.accessKeyId);
        (isOfAnother ? ofAnother : listener)(request, response);
      },
      inputs: () => given,
      wrong: () => ({ ...given, secretAccessKey: 'another/secret' }),
      elsewhere: () => ({ region: 'eu-west-3' }),
      // Another account, with a cluster of the same name.
      weaker: () => ({ ...another.keys }),
      works: async ({ DB_USERNAME = '', DB_PASSWORD = '' }) => account.elastiCache.accepts(DB_USERNAME, DB_PASSWORD),
    };
  },
};
