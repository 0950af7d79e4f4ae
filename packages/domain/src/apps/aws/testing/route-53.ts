import { randomInt } from 'node:crypto';
import { at, readXml, type XmlElement } from '../xml.ts';
import { AwsRefusal, element, texts } from './answer.ts';

const NAMESPACE = 'https://route53.amazonaws.com/doc/2013-04-01/';

interface TxtSet {
  readonly ttl: string;
  readonly values: readonly string[];
}

/** Hosted zones with TXT records, as far as Coffer uses them. */
export class Route53 {
  /** The domains of the zones, by ID. */
  readonly zones = new Map<string, string>();
  /** By name, with a dot at the end. */
  readonly records = new Map<string, TxtSet>();
  /** How often the state of a change is asked before it is in sync. */
  pending = 0;
  /** Called for each name that has changed, with its values. */
  published: (name: string, values: readonly string[]) => Promise<void> = async () => undefined;

  async answer(method: string, url: string, body: string): Promise<string> {
    const { pathname, searchParams } = new URL(url, 'https://route53.amazonaws.com');
    const [, id, what] = /^\/2013-04-01\/(?:hostedzone|change)\/(\w+)(\/rrset)?$/.exec(pathname) ?? [];
    if (id === undefined) throw new AwsRefusal(404, 'InvalidAction', 'Could not find operation');
    if (pathname.includes('/change/')) return documentOf('GetChangeResponse', changeInfo(id, this.pending-- > 0));
    const domain = this.zones.get(id);
    if (domain === undefined) throw new AwsRefusal(404, 'NoSuchHostedZone', `No hosted zone found with ID: ${id}`);
    if (what === undefined) throw new AwsRefusal(400, 'InvalidAction', 'Could not find operation');
    return method === 'POST' ? this.#change(domain, body) : this.#list(searchParams);
  }

  #list(query: URLSearchParams): string {
    const [name, type, items] = [query.get('name') ?? '', query.get('type'), query.get('maxitems')];
    if (type !== 'TXT' || items !== '1' || !name.endsWith('.')) throw new AwsRefusal(400, 'InvalidInput');
    // The list goes on with later names.
    const found = [...this.records].toSorted(([one], [other]) => one.localeCompare(other)).find(([own]) => own >= name);
    const listed = found ? setOf(found[0], found[1]) : '';
    const more = texts({ IsTruncated: 'false', MaxItems: '1' });
    return documentOf('ListResourceRecordSetsResponse', element('ResourceRecordSets', listed) + more);
  }

  async #change(domain: string, body: string): Promise<string> {
    const root = readXml(body, NAMESPACE);
    const changes = at(root, 'ChangeBatch', 'Changes')?.children ?? [];
    if (root.name !== 'ChangeResourceRecordSetsRequest' || changes.length === 0)
      throw new AwsRefusal(400, 'InvalidInput');
    const after = new Map(this.records);
    for (const change of changes) apply(after, domain, change);
    this.records.clear();
    const names = new Set(changes.map((one) => at(one, 'ResourceRecordSet', 'Name')!.text));
    for (const [name, values] of after) this.records.set(name, values);
    for (const name of names)
      await this.published(
        name,
        (after.get(name)?.values ?? []).map((one) => one.slice(1, -1)),
      );
    return documentOf('ChangeResourceRecordSetsResponse', changeInfo(`C${randomInt(1e9)}`, true));
  }
}

function apply(records: Map<string, TxtSet>, domain: string, change: XmlElement): void {
  const set = at(change, 'ResourceRecordSet');
  const [action, name, type] = [at(change, 'Action')?.text, at(set, 'Name')?.text ?? '', at(set, 'Type')?.text];
  const values = at(set, 'ResourceRecords')?.children.map((one) => at(one, 'Value')?.text ?? '') ?? [];
  const ttl = at(set, 'TTL')?.text ?? '';
  const about = `[Tried to ${action?.toLowerCase()} resource record set [name='${name}', type='TXT']`;
  const refuse = (why: string) => new AwsRefusal(400, 'InvalidChangeBatch', `${about} ${why}]`);
  if (type !== 'TXT' || !values.every((value) => /^"[^"]*"$/.test(value)) || !/^\d+$/.test(ttl))
    throw refuse('but it is not valid');
  if (name !== `${domain}.` && !name.endsWith(`.${domain}.`))
    throw refuse(`but it is not permitted in zone ${domain}.`);
  const found = records.get(name);
  if (action === 'CREATE') {
    if (found) throw refuse('but it already exists');
    records.set(name, { ttl, values });
  } else if (action === 'DELETE') {
    if (!found) throw refuse('but it was not found');
    if (JSON.stringify(found) !== JSON.stringify({ ttl, values })) throw refuse('but the values provided do not match');
    records.delete(name);
  } else throw refuse('with an unknown action');
}

const setOf = (name: string, { ttl, values }: TxtSet): string => {
  const records = values.map((value) => element('ResourceRecord', texts({ Value: value }))).join('');
  return element(
    'ResourceRecordSet',
    texts({ Name: name, Type: 'TXT', TTL: ttl }) + element('ResourceRecords', records),
  );
};

const changeInfo = (id: string, isPending: boolean): string =>
  element(
    'ChangeInfo',
    texts({ Id: `/change/${id}`, Status: isPending ? 'PENDING' : 'INSYNC', SubmittedAt: '2026-01-01T00:00:00Z' }),
  );

const documentOf = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${NAMESPACE}">${content}</${name}>`;

/** An error as Route 53 answers it; batches have a list of messages. */
export const route53Refusal = ({ status, code, message }: AwsRefusal) => ({
  status,
  type: 'text/xml',
  body:
    code === 'InvalidChangeBatch'
      ? documentOf(code, element('Messages', texts({ Message: message })))
      : documentOf('ErrorResponse', element('Error', texts({ Type: 'Sender', Code: code, Message: message }))),
});
