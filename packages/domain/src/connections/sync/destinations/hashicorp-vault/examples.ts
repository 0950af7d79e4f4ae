import type { DestinationExample } from '../../testing/example.ts';
import { Vault } from '../../testing/vault.ts';

const SERVER = 'https://vault.example.com';

export const example: DestinationExample = {
  target() {
    const vault = new Vault('hvs.example');
    const engine = new Map();
    vault.two.set('secret', engine);
    return {
      credentials: { method: 'access-token', instanceUrl: SERVER, accessToken: vault.token },
      config: { mount: 'secret', path: 'app/dev' },
      serve: (standIns) => standIns.serve(new URL(SERVER).host, vault.listener),
      held: () => vault.two.get('secret')!.get('app/dev')?.data ?? {},
      put(name, value) {
        const { version = 0, data = {} } = vault.two.get('secret')!.get('app/dev') ?? {};
        engine.set('app/dev', { version: version + 1, data: { ...data, [name]: value } });
      },
    };
  },
  auth: { accessToken: 'hvs.example', url: SERVER },
  integration: { app: 'secret', path: 'app/dev' },
};
