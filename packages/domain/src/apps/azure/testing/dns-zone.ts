import { randomUUID } from 'node:crypto';
import { AZURE_SCOPES } from '../login.ts';
import { azureFault, type AzureApi, type AzureCall } from './cloud.ts';

interface TxtSet {
  readonly etag: string;
  readonly values: readonly string[];
}

/** The resource manager with one DNS zone (https://learn.microsoft.com/en-us/rest/api/dns/record-sets). */
export class AzureDnsZone implements AzureApi {
  readonly host = 'management.azure.com';
  readonly scope = AZURE_SCOPES.management;
  readonly subscriptionId: string = randomUUID();
  readonly domain = 'example.org';
  readonly id = `/subscriptions/${this.subscriptionId}/resourceGroups/dns/providers/Microsoft.Network/dnszones/${this.domain}`;
  /** By name within the zone. */
  readonly records = new Map<string, TxtSet>();
  /** Called for each name that has changed, with its values. */
  published: (name: string, values: readonly string[]) => Promise<void> = async () => undefined;

  serve(call: AzureCall): void {
    const { url, method, headers, body } = call;
    const answer = (status: number, content: unknown) => call.answer(status, content);
    if (url.searchParams.get('api-version') !== '2018-05-01')
      return answer(400, azureFault('InvalidApiVersionParameter', 'The api-version is invalid.'));
    if (url.pathname === `/subscriptions/${this.subscriptionId}/providers/Microsoft.Network/dnszones`)
      return answer(200, { value: [{ id: this.id, name: this.domain }] });
    const name = url.pathname.startsWith(`${this.id}/TXT/`) ? url.pathname.slice(`${this.id}/TXT/`.length) : undefined;
    if (name === undefined) return answer(404, azureFault('ResourceNotFound', 'The resource was not found.'));
    const found = this.records.get(name);
    const [ifMatch, ifNoneMatch] = [headers['if-match'], headers['if-none-match']];
    const isOther = (ifMatch !== undefined && ifMatch !== found?.etag) || (ifNoneMatch === '*' && found !== undefined);
    if (method !== 'GET' && isOther) return answer(412, azureFault('PreconditionFailed', 'The condition was not met.'));
    if (method === 'PUT') this.records.set(name, { etag: randomUUID(), values: valuesOf(body) });
    else if (method === 'DELETE') this.records.delete(name);
    else if (!found) return answer(404, azureFault('NotFound', `The resource record '${name}' does not exist.`));
    const { etag, values } = this.records.get(name) ?? { etag: '', values: [] };
    const TXTRecords = values.map((value) => ({ value: [value] }));
    const done = () => answer(200, { name, etag, properties: { TTL: 60, TXTRecords } });
    if (method === 'GET') return done();
    this.published(`${name}.${this.domain}.`, values).then(done, (error: unknown) => answer(500, String(error)));
  }
}

function valuesOf(body: Record<string, unknown> | undefined): string[] {
  const { TXTRecords = [] } = (body?.['properties'] ?? {}) as { TXTRecords?: { value: string[] }[] };
  return TXTRecords.map(({ value }) => value.join(''));
}
