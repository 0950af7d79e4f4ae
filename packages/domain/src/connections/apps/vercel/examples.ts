import { Vercel } from '../../../apps/vercel/testing/vercel.ts';
import type { AppExample } from '../../app-connection/testing/example.ts';

export const example: AppExample = {
  standIn() {
    const vercel = new Vercel();
    for (let i = 0; i < 120; i++) vercel.projects.push({ id: `prj_${i}`, name: `web-${i}` });
    const envsOf = (id: string) => [{ id: `env_${id}`, slug: 'staging', type: 'preview' }];
    const apps = vercel.projects.map(({ id, name }) => ({ id, name, envs: envsOf(id) }));
    return {
      hosts: { 'api.vercel.com': vercel.listener },
      methods: {
        'api-token': {
          ...{ given: { apiToken: vercel.token }, shown: {}, secret: vercel.token },
          wrong: { apiToken: 'another-token' },
        },
      },
      lists: { projects: { answer: [{ id: 'team_acme', name: 'Acme', slug: 'acme', apps }] } },
    };
  },
};
