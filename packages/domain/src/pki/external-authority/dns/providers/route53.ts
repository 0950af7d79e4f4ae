import { z } from 'zod';
import { aws as connector } from '../../../../connections/apps/aws/index.ts';
import { defineDnsProvider } from '../dns-provider.ts';

export const route53 = defineDnsProvider({
  provider: 'route53',
  title: 'Amazon Route 53',
  connector,
  hostedZoneId: z
    .string()
    .trim()
    .regex(/^[A-Z0-9]{1,32}$/, 'Expected the ID of a hosted zone, such as Z040441124N1GOOMCQYX1')
    .meta({ examples: ['Z040441124N1GOOMCQYX1'] }),
  async open(client, hostedZoneId) {
    const zone = await client.hostedZone(hostedZoneId);
    return {
      addText: (name, value) => zone.addText(name, value),
      removeText: (name, value) => zone.removeText(name, value),
      isServed: (change) => zone.isInSync(change),
    };
  },
});
