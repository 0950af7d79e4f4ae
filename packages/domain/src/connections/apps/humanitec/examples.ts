import { Humanitec } from '../../../apps/humanitec/testing/humanitec.ts';
import type { AppExample } from '../../app-connection/testing/example.ts';

export const example: AppExample = {
  standIn() {
    const humanitec = new Humanitec();
    const envs = ['production', 'development'].map((id) => ({ id, name: id.toUpperCase() }));
    return {
      hosts: { 'api.humanitec.io': humanitec.listener },
      methods: {
        'api-token': {
          ...{ given: { apiToken: humanitec.token }, shown: {}, secret: humanitec.token },
          wrong: { apiToken: 'another-token' },
        },
      },
      lists: { organizations: { answer: [{ id: 'acme', name: 'Acme', apps: [{ id: 'shop', name: 'Shop', envs }] }] } },
    };
  },
};
