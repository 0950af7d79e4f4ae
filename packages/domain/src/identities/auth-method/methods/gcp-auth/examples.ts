import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
  least: { type: 'iam' },
  full: {
    type: 'gce',
    allowedServiceAccounts: 'deploy@acme.iam.gserviceaccount.com',
    allowedProjects: 'acme, other',
    allowedZones: 'europe-west1-b',
  },
  shared: {
    unbound: { type: 'gce' },
    bindings: [{ allowedServiceAccounts: 'deploy@acme.iam.gserviceaccount.com' }, { allowedProjects: 'acme' }],
    nonBindings: [
      { allowedZones: 'europe-west1-b' },
      { type: 'iam', allowedProjects: 'acme' },
      { allowedProjects: ',' },
    ],
  },
};
