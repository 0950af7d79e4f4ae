import { z } from 'zod';
import {
  dnsRecordFor,
  wordsOfProblem,
  type AccountKey,
  type AcmeClient,
  type Authorization,
} from '../../../../apps/acme/index.ts';
import { malformed, rejectedBy, remoteError } from '../../../../family/index.ts';
import type { DnsZone } from '../../dns/dns-provider.ts';
import type { Attempt, IssuedElsewhere, OpenAuthority, Progress, Step, ToRevoke } from '../../issuer.ts';

const TextRecord = z.object({ name: z.string(), value: z.string(), change: z.string().optional() });
type TextRecord = z.output<typeof TextRecord>;

/** What was begun for an order. */
const Begun = z.object({
  /** The order at the authority. */
  url: z.string().optional(),
  /** Records that exist, or may. */
  records: z.array(TextRecord).default([]),
  /** Whether all of them exist. */
  isPublished: z.boolean().default(false),
  /** Whether the authority was asked to issue, or may have been. */
  isFinalized: z.boolean().default(false),
});
type Begun = z.output<typeof Begun>;

/** The names of the records that exist for an order, or may. */
export const recordsIn = (progress: Progress): string[] => Begun.parse(progress).records.map(({ name }) => name);

/** Milliseconds until name servers have a record, where their provider does not tell. */
const SETTLE = 15_000;
/** Milliseconds between questions, where the authority does not say. */
const PAUSE = 3_000;

/** Orders at an authority, by the challenge `dns-01` alone. */
export class AcmeOrders implements OpenAuthority {
  readonly #client: () => Promise<AcmeClient>;
  readonly #key: AccountKey;
  readonly #zone: DnsZone;

  /** `client` is called where the authority is: what was made in DNS is removed without it. */
  constructor(client: () => Promise<AcmeClient>, key: AccountKey, zone: DnsZone) {
    this.#client = client;
    this.#key = key;
    this.#zone = zone;
  }

  async advance(attempt: Attempt): Promise<Step> {
    const begun = Begun.parse(attempt.progress);
    if (begun.url === undefined) return this.#begin(attempt, begun);
    const { resource: order, retryAfter } = await (await this.#client()).getOrder(begun.url);
    switch (order.status) {
      case 'invalid':
        throw await this.#failure(begun.url, order.authorizations, order.error && wordsOfProblem(order.error));
      case 'pending':
        return begun.isPublished ? this.#prove(begun, order.authorizations) : this.#publish(attempt, begun);
      case 'ready':
        // Proofs are not needed any more, whatever becomes of the rest.
        await this.clean(attempt);
        await attempt.keep({ ...begun, records: [], isPublished: true, isFinalized: true });
        await (await this.#client()).finalize(order.finalize, attempt.order.csr);
        return waiting('The authority issues the certificate', retryAfter);
      case 'processing':
        return waiting('The authority issues the certificate', retryAfter);
      case 'valid': {
        if (order.certificate === undefined) throw malformed(begun.url, 'a valid order without a certificate');
        await this.clean(attempt);
        return { is: 'issued', chain: await (await this.#client()).download(order.certificate) };
      }
    }
  }

  async #begin(attempt: Attempt, begun: Begun): Promise<Step> {
    const names = new Set(attempt.order.altNames.map(({ value }) => value));
    const url = await (await this.#client()).order([...names]);
    await attempt.keep({ ...begun, url });
    return { is: 'waiting', forMs: 0, message: 'The authority has the order' };
  }

  /** Makes the records of all names that are not proved yet. */
  async #publish(attempt: Attempt, begun: Begun): Promise<Step> {
    const { resource: order } = await (await this.#client()).getOrder(begun.url!);
    const ordered = new Set(attempt.order.altNames.map(({ value }) => value.toLowerCase().replace(/^\*\./, '')));
    const records: TextRecord[] = [];
    if (order.authorizations.length > attempt.order.altNames.length)
      throw malformed(begun.url!, 'more authorizations than names were ordered');
    for (const url of order.authorizations) {
      const { resource: authorization } = await (await this.#client()).getAuthorization(url);
      const name = authorization.identifier.value.toLowerCase();
      // The authority may be anybody's: it does not decide on which records are made in the zone.
      if (!ordered.has(name)) throw malformed(url, 'an authorization for a name that was not ordered');
      if (authorization.status === 'pending') records.push(await this.#recordOf(url, name, authorization));
    }
    await attempt.keep({ ...begun, records });
    const made: TextRecord[] = [];
    for (const record of records) {
      const change = await this.#zone.addText(record.name, record.value);
      made.push({ ...record, ...(change !== undefined && { change }) });
    }
    await attempt.keep({ ...begun, records: made, isPublished: true });
    const forMs = made.length > 0 && !this.#zone.isServed ? SETTLE : 0;
    return { is: 'waiting', forMs, message: 'The name servers get the records of the challenges' };
  }

  async #recordOf(url: string, name: string, { challenges }: Authorization): Promise<TextRecord> {
    const token = challenges.find(({ type }) => type === 'dns-01')?.token;
    if (token === undefined) throw rejectedBy(new URL(url).hostname, `no dns-01 challenge for ${name}`);
    return { name: `_acme-challenge.${name}`, value: await dnsRecordFor(this.#key, token) };
  }

  /** Asks the authority to look at the records, once they can be seen. */
  async #prove({ records }: Begun, authorizations: readonly string[]): Promise<Step> {
    for (const { change } of records)
      if (change !== undefined && this.#zone.isServed && !(await this.#zone.isServed(change)))
        return waiting('The name servers get the records of the challenges');
    let after: number | undefined;
    for (const url of authorizations) {
      const { resource, retryAfter } = await (await this.#client()).getAuthorization(url);
      const challenge = resource.challenges.find(({ type }) => type === 'dns-01');
      if (resource.status === 'pending' && challenge?.status === 'pending')
        await (await this.#client()).respond(challenge.url);
      after = Math.max(after ?? 0, retryAfter ?? 0);
    }
    return waiting('The authority looks at the records of the challenges', after);
  }

  /** What has failed, in the words of the authority. */
  async #failure(orderUrl: string, authorizations: readonly string[], words?: string): Promise<Error> {
    const reasons: string[] = words === undefined ? [] : [words];
    for (const url of authorizations) {
      const { resource } = await (await this.#client()).getAuthorization(url);
      const errors = resource.challenges.flatMap(({ error }) => (error ? [wordsOfProblem(error)] : []));
      if (resource.status === 'invalid') reasons.push(`${resource.identifier.value}: ${errors.join('; ')}`);
    }
    return rejectedBy(new URL(orderUrl).hostname, reasons.join('; '));
  }

  async clean({ progress, keep }: Attempt): Promise<void> {
    const begun = Begun.parse(progress);
    if (begun.records.length === 0) return;
    for (const { name, value } of begun.records) await this.#zone.removeText(name, value);
    await keep({ ...begun, records: [], isPublished: true });
  }

  orderIn = (progress: Progress): string | undefined => Begun.parse(progress).url;

  /**
   * Others may have finalized the order: an authority may answer two orders alike. It forgets its orders; what it refuses to say is
   * asked again.
   */
  async withdraw({ progress }: Attempt): Promise<IssuedElsewhere | 'unknown' | undefined> {
    const { url, isFinalized } = Begun.parse(progress);
    if (url === undefined) return undefined;
    const client = await this.#client();
    const found = await client.findOrder(url);
    if (!found) return isFinalized ? 'unknown' : undefined;
    const { resource: order } = found;
    if (order.status === 'processing') throw remoteError('unavailable', 'The authority issues the certificate');
    if (order.status !== 'valid' || order.certificate === undefined) return undefined;
    return { chain: await client.download(order.certificate) };
  }

  async revoke({ der, reason }: ToRevoke): Promise<void> {
    return (await this.#client()).revoke(der, reason);
  }
}

const waiting = (message: string, seconds?: number): Step => ({
  is: 'waiting',
  forMs: seconds ? seconds * 1000 : PAUSE,
  message,
});
