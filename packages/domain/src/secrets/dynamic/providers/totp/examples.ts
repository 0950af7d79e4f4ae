import type { ProviderExample } from '../../testing/example.ts';

export const example: ProviderExample = {
  least: { configType: 'manual', secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' },
  full: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP', period: 60, algorithm: 'sha256', digits: 8 },
  others: [{ configType: 'url', url: 'otpauth://totp/Shop:ann?secret=JBSWY3DPEHPK3PXP&issuer=Shop' }],
};
