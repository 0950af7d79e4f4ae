import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { CloudflareClient } from '../../../../apps/cloudflare/index.ts';
import { readCertificate } from '../../../x509.ts';
import type { Bundle, CertificateStore, Found, Slot, Sought } from '../../destination.ts';

const Stored = z.object({ id: z.string(), expires_on: z.string(), hosts: z.array(z.string()).default([]) });
const Mark = z.object({
  before: z.array(z.string()),
  end: z.number(),
  // An earlier release has none.
  hosts: z.array(z.string()).optional(),
});
type Mark = z.output<typeof Mark>;

const endOf = ({ expires_on: end }: z.output<typeof Stored>): number => Date.parse(end);

/**
 * The custom certificates of a zone, which have no names and no tags, and cannot be read back. One that was uploaded without
 * its answer being known is one that was not there before, with the same end and the same hosts: others of one authority may
 * have the same end.
 * https://developers.cloudflare.com/api/resources/custom_certificates/
 */
export class CustomCertificates implements CertificateStore {
  readonly #client: CloudflareClient;
  readonly #path: string;
  #ids = new Set<string>();

  constructor(client: CloudflareClient, zoneId: string) {
    this.#client = client;
    this.#path = `/zones/${zoneId}/custom_certificates`;
  }

  async find(slots: readonly Sought[]): Promise<Map<string, Found>> {
    const all = await this.#client.list(`${this.#path}?match=all`, Stored);
    this.#ids = new Set(all.map(({ id }) => id));
    const found = new Map<string, Found>();
    for (const { name, reference, isPending, mark } of slots) {
      if (reference !== null && this.#ids.has(reference)) found.set(name, { reference });
      else if (isPending) {
        const written = Mark.parse(mark);
        const lost = all.find((one) => isOf(written, one));
        if (lost) found.set(name, { reference: lost.id });
      }
    }
    return found;
  }

  mark = async (_: Slot, { notAfter, certificate }: Bundle): Promise<Mark> => ({
    ...{ before: [...this.#ids], end: notAfter.getTime(), hosts: hostsIn(certificate) },
  });

  async put({ reference }: Slot, { certificate, chain, privateKey }: Bundle): Promise<string> {
    const body = {
      certificate: `${certificate}${chain}`,
      private_key: privateKey,
      // The chain as it is: others are known for public authorities only.
      bundle_method: 'force',
    };
    // Another ID may be the answer also to a change.
    const { id } =
      reference === null
        ? await this.#client.ask(this.#path, Stored, { method: 'POST', body })
        : await this.#client.ask(`${this.#path}/${reference}`, Stored, { method: 'PATCH', body });
    this.#ids.add(id);
    return id;
  }

  async remove({ reference }: { readonly reference: string }): Promise<void> {
    await this.#client.tell(`${this.#path}/${reference}`, { method: 'DELETE', isGoneFine: true });
  }
}

const isOf = ({ before, end, hosts }: Mark, one: z.output<typeof Stored>): boolean =>
  !before.includes(one.id) && endOf(one) === end && (hosts === undefined || isSameSet(hosts, one.hosts));

const isSameSet = (ours: readonly string[], theirs: readonly string[]): boolean =>
  isDeepStrictEqual(new Set(ours), new Set(theirs.map((host) => host.toLowerCase())));

/** The names for which a certificate is valid, as Cloudflare lists them. */
function hostsIn(pem: string): string[] {
  const { subject, altNames } = readCertificate(pem);
  const names = altNames.flatMap(({ type, value }) => (type === 'dns' || type === 'ip' ? [value] : []));
  const all = names.length > 0 || subject.commonName === undefined ? names : [subject.commonName];
  return all.map((name) => name.toLowerCase());
}
