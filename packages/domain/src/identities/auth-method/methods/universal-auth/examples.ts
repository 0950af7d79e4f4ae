import type { LoginMethodExample } from '../../testing/example.ts';

export const example: LoginMethodExample = {
  least: {},
  full: { clientSecretTrustedIps: [{ ipAddress: '10.0.0.0/8' }], lockoutThreshold: 5 },
};
