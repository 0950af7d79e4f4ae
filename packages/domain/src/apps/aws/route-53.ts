import { isDeepStrictEqual } from 'node:util';
import { malformed, type RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';
import { AwsFault, orReject } from './fault.ts';
import { ROUTE_53, urlOf } from './service.ts';
import { sign, type AwsKeys } from './sign.ts';
import { at, readXml, type XmlElement } from './xml.ts';

const VERSION = '/2013-04-01';
const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/';
const MAX_BYTES = 512 * 1024;
/** Seconds for which resolvers keep a record. */
const TTL = '60';

interface TxtRecord {
  readonly ttl: string;
  /** As they are stored: quoted. */
  readonly values: readonly string[];
}

/**
 * The TXT records of one hosted zone of Route 53. A record has all values of a name, and is changed as a whole: a change
 * names what it replaces, and is made again where that has changed meanwhile.
 * https://docs.aws.amazon.com/Route53/latest/APIReference/API_ChangeResourceRecordSets.html
 */
export class HostedZone {
  readonly #io: RemoteIo;
  readonly #path: string;
  readonly #keys: AwsKeys;

  constructor(io: RemoteIo, id: string, keys: AwsKeys) {
    this.#io = io;
    this.#path = `${VERSION}/hostedzone/${id}`;
    this.#keys = keys;
  }

  /** Adds a value to a name. Returns the ID of the change; `undefined` where it is there already. */
  addText(name: string, value: string): Promise<string | undefined> {
    return this.#change(name, (values) => (values.includes(quoted(value)) ? values : [...values, quoted(value)]));
  }

  /** Takes a value away from a name. */
  async removeText(name: string, value: string): Promise<void> {
    await this.#change(name, (values) => values.filter((one) => one !== quoted(value)));
  }

  /** Whether all name servers have a change. */
  async isInSync(changeId: string): Promise<boolean> {
    const answer = await orReject(this.#ask('GET', `${VERSION}/change/${changeId}`));
    return at(answer, 'ChangeInfo', 'Status')?.text === 'INSYNC';
  }

  async #change(name: string, change: (values: readonly string[]) => readonly string[]): Promise<string | undefined> {
    let last: { found: TxtRecord | undefined; fault: AwsFault } | undefined;
    for (;;) {
      const found = await orReject(this.#find(name));
      // The request is at fault where the record is what it was taken for.
      if (last && isDeepStrictEqual(last.found, found)) throw last.fault.rejection;
      const before = found?.values ?? [];
      const after = change(before);
      if (after.length === before.length) return undefined;
      try {
        const answer = await this.#ask('POST', `${this.#path}/rrset`, batchOf(name, found, after));
        return at(answer, 'ChangeInfo', 'Id')?.text.replace('/change/', '');
      } catch (error) {
        if (!(error instanceof AwsFault)) throw error;
        if (error.code !== 'InvalidChangeBatch') throw error.rejection;
        last = { found, fault: error };
      }
    }
  }

  async #find(name: string): Promise<TxtRecord | undefined> {
    const query = new URLSearchParams({ maxitems: '1', name: `${name}.`, type: 'TXT' });
    const answer = await this.#ask('GET', `${this.#path}/rrset?${query.toString()}`);
    const found = at(answer, 'ResourceRecordSets', 'ResourceRecordSet');
    // The list begins with it, or with what comes after it.
    if (at(found, 'Name')?.text !== `${name}.` || at(found, 'Type')?.text !== 'TXT') return undefined;
    const values = at(found, 'ResourceRecords')?.children.map((one) => at(one, 'Value')?.text ?? '') ?? [];
    return { ttl: at(found, 'TTL')?.text ?? TTL, values };
  }

  async #ask(method: 'GET' | 'POST', path: string, body = ''): Promise<XmlElement> {
    const headers: Record<string, string> = body === '' ? {} : { 'Content-Type': 'text/xml' };
    const signed = sign(ROUTE_53, this.#keys, { headers, body, method, path }, this.#io.now);
    const answer = await this.#io.fetch(urlOf(ROUTE_53).replace(/\/$/, path), {
      method,
      headers: signed,
      ...(body !== '' && { body }),
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
    });
    const root = documentOf(answer);
    if (answer.status === 200 && root) return root;
    if (answer.status === 200) throw malformed(urlOf(ROUTE_53), 'something other than XML');
    const error = at(root, 'Error') ?? root;
    const words =
      at(error, 'Message')?.text ??
      at(error, 'Messages')
        ?.children.map(({ text }) => text)
        .join('; ');
    throw new AwsFault(ROUTE_53, answer.status, at(error, 'Code')?.text ?? error?.name ?? '', words ?? '');
  }
}

function batchOf(name: string, found: TxtRecord | undefined, values: readonly string[]): string {
  const changes = [
    ...(found ? [changeOf('DELETE', name, found)] : []),
    ...(values.length > 0 ? [changeOf('CREATE', name, { ttl: found?.ttl ?? TTL, values })] : []),
  ];
  const root = 'ChangeResourceRecordSetsRequest';
  return `<?xml version="1.0" encoding="UTF-8"?><${root} xmlns="${NAMESPACE}"><ChangeBatch><Changes>${changes.join('')}</Changes></ChangeBatch></${root}>`;
}

const quoted = (value: string) => `"${value}"`;

const changeOf = (action: string, name: string, { ttl, values }: TxtRecord): string =>
  `<Change><Action>${action}</Action><ResourceRecordSet><Name>${escape(name)}.</Name><Type>TXT</Type><TTL>${ttl}</TTL><ResourceRecords>${values
    .map((value) => `<ResourceRecord><Value>${escape(value)}</Value></ResourceRecord>`)
    .join('')}</ResourceRecords></ResourceRecordSet></Change>`;

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function documentOf(answer: OutboundResponse): XmlElement | undefined {
  try {
    return readXml(answer.text());
  } catch {
    return undefined;
  }
}
