import { z } from 'zod';
import type { CloudflareClient } from '../../../../apps/cloudflare/index.ts';
import { cloudflare as connector } from '../../../../connections/apps/cloudflare/index.ts';
import { defineDnsProvider, type DnsZone } from '../dns-provider.ts';

const DnsRecord = z.object({ id: z.string().regex(/^\w+$/), content: z.string() });
/** The shortest time for which resolvers keep a record, in seconds. */
const TTL = 60;

/** Each value is a record. https://developers.cloudflare.com/api/resources/dns/subresources/records/ */
function zoneOf(client: CloudflareClient, zoneId: string): DnsZone {
  const path = `/zones/${zoneId}/dns_records`;
  const find = async (name: string, value: string) => {
    const query = new URLSearchParams({ type: 'TXT', 'name.exact': name });
    const records = await client.list(`${path}?${query.toString()}`, DnsRecord);
    return records.filter(({ content }) => content === value || content === `"${value}"`);
  };
  return {
    async addText(name, value) {
      if ((await find(name, value)).length > 0) return undefined;
      await client.tell(path, { method: 'POST', body: { type: 'TXT', name, content: `"${value}"`, ttl: TTL } });
      return undefined;
    },
    async removeText(name, value) {
      for (const { id } of await find(name, value))
        await client.tell(`${path}/${id}`, { method: 'DELETE', isGoneFine: true });
    },
  };
}

export const cloudflare = defineDnsProvider({
  provider: 'cloudflare',
  title: 'Cloudflare',
  connector,
  hostedZoneId: z
    .string()
    .trim()
    .regex(/^[0-9a-f]{32}$/, 'Expected the ID of a zone, 32 hexadecimal digits')
    .meta({ examples: ['023e105f4ecef8ad9ca31a8372d0c353'] }),
  open: zoneOf,
});
