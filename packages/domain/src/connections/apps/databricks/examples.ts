import { Databricks } from '../../../apps/databricks/testing/databricks.ts';
import type { AppExample } from '../../app-connection/testing/example.ts';

export const example: AppExample = {
  standIn() {
    const databricks = new Databricks();
    const shown = { workspaceUrl: `https://${databricks.host}`, clientId: databricks.clientId };
    const principals = ['shop', 'web', 'jobs'].map((name) => ({ name, id: databricks.addPrincipal(name) }));
    const servicePrincipals = principals.map(({ id, name }) => ({
      ...{ id, name, clientId: databricks.principals.get(id)!.applicationId },
    }));
    const [secret = ''] = databricks.principalSecrets.values();
    return {
      hosts: { [databricks.host]: databricks.listener },
      methods: {
        'service-principal': {
          ...{ given: { ...shown, clientSecret: secret }, shown, secret },
          wrong: { clientSecret: 'another-secret' },
          elsewhere: { workspaceUrl: 'https://thief.example' },
        },
      },
      lists: {
        'secret-scopes': { answer: { secretScopes: [{ name: 'shop' }, { name: 'other' }] } },
        'service-principals': { answer: { servicePrincipals } },
      },
    };
  },
};
