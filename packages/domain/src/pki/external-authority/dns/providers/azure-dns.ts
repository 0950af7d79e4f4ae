import { z } from 'zod';
import type { AzureClient } from '../../../../apps/azure/index.ts';
import { azureDns as connector } from '../../../../connections/apps/azure-dns/index.ts';
import { malformed, throttled } from '../../../../family/index.ts';
import { defineDnsProvider, type DnsZone } from '../dns-provider.ts';

const MANAGEMENT = 'https://management.azure.com';
/** Seconds for which resolvers keep a record. */
const TTL = 60;
/** Tries to change a record that others are changing. */
const TRIES = 5;

const RecordSet = z.object({
  etag: z.string(),
  properties: z.object({
    TTL: z.number().optional(),
    TXTRecords: z.array(z.object({ value: z.array(z.string()) })).default([]),
  }),
});
type Values = readonly string[];

/**
 * A record set has all values of a name, and is changed as it was read, or not at all (If-Match).
 * https://learn.microsoft.com/en-us/rest/api/dns/record-sets/create-or-update
 */
class AzureZone implements DnsZone {
  readonly #client: AzureClient;
  readonly #id: string;
  readonly #domain: string;

  constructor(client: AzureClient, id: string) {
    this.#client = client;
    this.#id = id;
    this.#domain = id.split('/').at(-1)!.toLowerCase();
  }

  async addText(name: string, value: string): Promise<undefined> {
    await this.#change(name, (values) => (values.includes(value) ? values : [...values, value]));
  }

  async removeText(name: string, value: string): Promise<void> {
    await this.#change(name, (values) => values.filter((one) => one !== value));
  }

  async #change(name: string, change: (values: Values) => Values): Promise<void> {
    const relative = name.endsWith(`.${this.#domain}`) ? name.slice(0, -this.#domain.length - 1) : name;
    const url = `${MANAGEMENT}${this.#id}/TXT/${encodeURIComponent(relative)}?api-version=2018-05-01`;
    for (let tries = 1; tries <= TRIES; tries++) {
      const { status, body } = await this.#client.ask(url, { expected: [404] });
      const found = status === 404 ? undefined : RecordSet.safeParse(body).data;
      if (!found && status !== 404) throw malformed(MANAGEMENT, 'no record set');
      const before = found?.properties.TXTRecords.map((one) => one.value.join('')) ?? [];
      const after = change(before);
      if (after.length === before.length) return;
      if (await this.#write(url, found, after)) return;
    }
    throw throttled(MANAGEMENT);
  }

  /** Whether it was what it was taken for. */
  async #write(url: string, found: z.output<typeof RecordSet> | undefined, values: Values): Promise<boolean> {
    const headers: Record<string, string> = found ? { 'if-match': found.etag } : { 'if-none-match': '*' };
    const TXTRecords = values.map((value) => ({ value: [value] }));
    const { status } =
      values.length === 0
        ? await this.#client.ask(url, { method: 'DELETE', headers, expected: [404, 412] })
        : await this.#client.ask(url, {
            method: 'PUT',
            headers,
            body: { properties: { TTL: found?.properties.TTL ?? TTL, TXTRecords } },
            expected: [412],
          });
    return status !== 412;
  }
}

const ZONE =
  /^\/subscriptions\/[0-9a-f-]{36}\/resourceGroups\/[\w.()-]{1,90}\/providers\/Microsoft\.Network\/dnszones\/[a-z0-9.-]{1,253}$/i;
const EXAMPLE =
  '/subscriptions/11112222-bbbb-3333-cccc-4444dddd5555/resourceGroups/dns/providers/Microsoft.Network/dnszones/example.com';

export const azureDns = defineDnsProvider({
  provider: 'azure-dns',
  title: 'Azure DNS',
  connector,
  hostedZoneId: z
    .string()
    .trim()
    .regex(ZONE, `Expected the resource ID of a DNS zone, such as ${EXAMPLE}`)
    .meta({ examples: [EXAMPLE] }),
  open: (client, hostedZoneId) => new AzureZone(client, hostedZoneId),
});
