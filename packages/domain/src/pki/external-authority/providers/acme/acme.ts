import { z } from 'zod';
import { AcmeClient, newAccountKey, type AccountKey } from '../../../../apps/acme/index.ts';
import { httpsUrl } from '../../../../connections/connection/index.ts';
import { sealed } from '../../../../family/index.ts';
import { badRequest, Id, text } from '../../../../kernel/index.ts';
import { refused } from '../../../constraint/index.ts';
import { dnsProviders } from '../../dns/registry.ts';
import { defineIssuer, type Means, type Wanted } from '../../issuer.ts';
import { AcmeOrders, recordsIn } from './order.ts';

const DnsProviderConfig = z.discriminatedUnion(
  'provider',
  dnsProviders.members.map(({ provider, hostedZoneId, title }) =>
    z.object({ provider: z.literal(provider), hostedZoneId: hostedZoneId.describe(`The zone at ${title}`) }),
  ) as never,
  `Offered: ${dnsProviders.names.join(', ')}`,
) as unknown as z.ZodType<{ provider: string; hostedZoneId: string }>;

const HMAC_KEY = 'the HMAC key of the external account in base64url';
const Configuration = z.object({
  dnsAppConnectionId: Id.describe('The app connection by which the records of challenges are made'),
  dnsProviderConfig: DnsProviderConfig,
  directoryUrl: httpsUrl('the https URL of an ACME directory').meta({
    examples: ['https://acme-v02.api.letsencrypt.org/directory'],
  }),
  accountEmail: z.email().max(255).describe('Contact of the account'),
  eabKid: text(1024).trim().min(1).optional().describe('The ID of the external account, where the authority has these'),
  eabHmacKey: sealed(
    text(1024)
      .trim()
      .regex(/^[\w-]{16,}=*$/, `Expected ${HMAC_KEY}`)
      .optional()
      .describe(`With eabKid: ${HMAC_KEY}`),
    { sentTo: ['directoryUrl', 'eabKid'] },
  ),
});
type Configuration = z.output<typeof Configuration>;

/** The account at the authority. */
interface Account {
  readonly key: AccountKey;
  readonly url: string;
  /** Its contact; absent where an earlier release has stored it. */
  readonly email?: string | undefined;
}

/** Authorities with the protocol of RFC 8555. Names are proved by records in DNS, wildcards too. */
export const acme = defineIssuer({
  type: 'acme',
  title: 'an ACME authority',
  config: Configuration,
  identity: ['directoryUrl', 'eabKid', 'eabHmacKey'],
  places: ['dnsProviderConfig'],
  connectionOf: ({ dnsProviderConfig: { provider }, dnsAppConnectionId: id }) => ({
    connector: dnsProviders.require(provider).connector,
    id,
  }),
  systemOf: ({ directoryUrl }) => directoryUrl,
  async prepare(config, means, before: Account | undefined): Promise<Account> {
    const { eabKid: kid, eabHmacKey: hmacKey, accountEmail: email, directoryUrl } = config;
    if (before) {
      if (before.email === email) return before;
      await (await AcmeClient.open(means.io, directoryUrl, before.key, before.url)).updateContact(email);
      return { ...before, email };
    }
    const key = await newAccountKey();
    const client = await AcmeClient.open(means.io, directoryUrl, key);
    if ((kid === undefined) !== (hmacKey === undefined) || (client.needsExternalAccount && kid === undefined))
      throw badRequest('external_authority.external_account', 'eabKid and eabHmacKey are required together');
    const externalAccount = kid !== undefined && hmacKey !== undefined ? { kid, hmacKey } : undefined;
    return { key, url: await client.register({ email, externalAccount }), email };
  },
  requireIssuable,
  recordsIn,
  async open({ directoryUrl, dnsProviderConfig }, { key, url }, means: Means) {
    const { provider, hostedZoneId } = dnsProviderConfig;
    const zone = await dnsProviders.require(provider).open(means.client, hostedZoneId);
    let client: Promise<AcmeClient> | undefined;
    return new AcmeOrders(() => (client ??= AcmeClient.open(means.io, directoryUrl, key, url)), key, zone);
  },
});

/** The authority decides the rest of the content. */
function requireIssuable({ subject: { commonName, ...subject }, altNames, keyAlgorithm }: Wanted): void {
  const others = Object.entries(subject).flatMap(([field, value]) => (value?.length ? [field] : []));
  if (others.length > 0)
    throw refused('acme.subject', `ACME authorities issue no subject attributes such as ${others.join(', ')}`);
  if (altNames.length === 0 || altNames.some(({ type }) => type !== 'dns'))
    throw refused('acme.names', 'ACME authorities issue for DNS names, at least one, and for nothing else');
  if (commonName !== undefined && !altNames.some(({ value }) => value === commonName.toLowerCase()))
    throw refused('acme.common_name', 'The common name must be one of the DNS names');
  if (keyAlgorithm === 'ED25519')
    throw refused('acme.key', 'ACME authorities certify no Ed25519 keys: choose another keyAlgorithm');
}
