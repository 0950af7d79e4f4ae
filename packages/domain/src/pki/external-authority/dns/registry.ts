import { defineFamily } from '../../../family/index.ts';
import { badRequest } from '../../../kernel/index.ts';
import { azureDns } from './providers/azure-dns.ts';
import { cloudflare } from './providers/cloudflare.ts';
import { route53 } from './providers/route53.ts';

/** Every provider of DNS. To add one, implement it in `providers/` and name it here. */
export const dnsProviders = defineFamily([route53, cloudflare, azureDns], 'provider', (provider, offered) =>
  badRequest('dns_provider.not_offered', `Coffer makes no records at ${provider} yet; offered are ${offered}`),
);
