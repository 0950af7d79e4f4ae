import { Humanitec } from '../../../../apps/humanitec/testing/humanitec.ts';
import type { DestinationExample } from '../../testing/example.ts';

export const example: DestinationExample = {
  target() {
    const humanitec = new Humanitec();
    const values = humanitec.places.get('shop/production')!;
    return {
      credentials: { method: 'api-token', apiToken: humanitec.token },
      config: { scope: 'environment', org: 'acme', app: 'shop', env: 'production' },
      serve: (standIns) => standIns.serve('api.humanitec.io', humanitec.listener),
      held: () => Object.fromEntries(Array.from(values, ([key, { value }]) => [key, value])),
      put: (name, value) => void values.set(name, { value, isSecret: true }),
    };
  },
};
