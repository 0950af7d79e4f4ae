import { familyOf } from '../algorithm.ts';
import { EXTENDED_KEY_USAGES, type ExtendedKeyUsage, type KeyUsage } from '../content.ts';
import { EXTENSIONS, isKnownExtension } from '../extension.ts';
import type { Linted } from './linted.ts';
import { when, type LintRule } from './rule.ts';

const isCritical = ({ extensions }: Linted, id: string) => extensions.find((one) => one.id === id)?.critical;

/** Unsupported usages for each type of key (RFC 3279, 2.3.1; RFC 8813, 3; RFC 9295, 3). */
const IMPOSSIBLE: Record<string, readonly KeyUsage[]> = {
  rsa: ['keyAgreement', 'encipherOnly', 'decipherOnly'],
  ec: ['keyEncipherment', 'dataEncipherment'],
  ed25519: ['keyEncipherment', 'dataEncipherment', 'keyAgreement', 'encipherOnly', 'decipherOnly'],
};

/** RFC 5280, 4.2.1.12: key usages of which one is required, if there are any. */
const CONSISTENT: Partial<Record<ExtendedKeyUsage, readonly KeyUsage[]>> = {
  serverAuth: ['digitalSignature', 'keyEncipherment', 'keyAgreement'],
  clientAuth: ['digitalSignature', 'keyAgreement'],
  codeSigning: ['digitalSignature'],
  emailProtection: ['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'keyAgreement'],
  timeStamping: ['digitalSignature', 'nonRepudiation'],
  ocspSigning: ['digitalSignature', 'nonRepudiation'],
};

/** The usages of a key, and whether it is a CA's. */
export const usageRules: readonly LintRule[] = [
  {
    id: 'rfc5280.extension_duplicate',
    source: 'RFC 5280, 4.2',
    check: ({ extensions }) =>
      when(new Set(extensions.map(({ id }) => id)).size < extensions.length, 'An extension is present more than once'),
  },
  {
    id: 'rfc5280.extension_malformed',
    source: 'RFC 5280, 4.2',
    check: ({ known }) => {
      const [first] = known.malformed;
      return first && `The extension ${first[0]} is malformed: ${first[1]}`;
    },
  },
  {
    id: 'rfc5280.extension_unknown_critical',
    source: 'RFC 5280, 4.2',
    check: ({ extensions }) => {
      const unknown = extensions.find(({ id, critical }) => critical && !isKnownExtension(id));
      return unknown && `The extension ${unknown.id} is critical and unknown`;
    },
  },
  {
    id: 'rfc5280.basic_constraints_critical',
    source: 'RFC 5280, 4.2.1.9',
    check: (one) =>
      when(
        one.isCa && !isCritical(one, EXTENSIONS.basicConstraints),
        'The basic constraints of a CA certificate are not critical',
      ),
  },
  {
    id: 'rfc5280.path_length',
    source: 'RFC 5280, 4.2.1.9',
    check: ({ known, isCa }) =>
      when(
        known.basicConstraints?.pathLength !== undefined && (!isCa || !known.keyUsages?.includes('keyCertSign')),
        'A path length is only for authorities whose key signs certificates',
      ),
  },
  {
    id: 'rfc5280.ca_key_usage',
    source: 'RFC 5280, 4.2.1.3',
    check: ({ isCa, known }) =>
      when(isCa && !known.keyUsages?.includes('keyCertSign'), 'A CA certificate has no keyCertSign'),
  },
  {
    id: 'rfc5280.key_cert_sign',
    source: 'RFC 5280, 4.2.1.9',
    check: ({ isCa, known }) =>
      when(!isCa && known.keyUsages?.includes('keyCertSign'), 'keyCertSign is only for CA certificates'),
  },
  {
    id: 'rfc5280.crl_sign',
    source: 'RFC 5280, 4.2.1.3',
    severity: 'warning',
    check: ({ isCa, known }) =>
      when(!isCa && known.keyUsages?.includes('cRLSign'), 'cRLSign is only for CA certificates'),
  },
  {
    id: 'rfc5280.key_usage_empty',
    source: 'RFC 5280, 4.2.1.3',
    check: ({ known }) => when(known.keyUsages?.length === 0, 'No key usage is set'),
  },
  {
    id: 'rfc5280.key_usage_bits',
    source: 'X.690, 11.2.2',
    check: ({ known: { keyUsageBits: bits } }) => {
      if (!bits || bits.length < 2) return undefined;
      const lowest = bits.at(-1)! & (1 << bits[0]!);
      return when(lowest === 0, 'The key usages have zero bits at their end');
    },
  },
  {
    id: 'rfc5280.key_usage_critical',
    source: 'RFC 5280, 4.2.1.3',
    check: (one) => when(isCritical(one, EXTENSIONS.keyUsage) === false, 'The key usage is not critical'),
  },
  {
    id: 'rfc5280.key_usage_of_key',
    source: 'RFC 3279, 2.3.1; RFC 8813, 3; RFC 9295, 3',
    check: ({ known, publicKey }) => {
      const impossible = (publicKey && IMPOSSIBLE[familyOf(publicKey) ?? '']) ?? [];
      const wrong = known.keyUsages?.find((usage) => impossible.includes(usage));
      return wrong && `A key of this kind cannot be used for ${wrong}`;
    },
  },
  {
    id: 'rfc5280.key_usage_one_way',
    source: 'RFC 5280, 4.2.1.3',
    check: ({ known: { keyUsages } }) =>
      when(
        keyUsages?.some((usage) => usage === 'encipherOnly' || usage === 'decipherOnly') &&
          !keyUsages.includes('keyAgreement'),
        'encipherOnly and decipherOnly mean something only beside keyAgreement',
      ),
  },
  {
    id: 'rfc5280.extended_key_usage_list',
    source: 'RFC 5280, 4.2.1.12',
    check: ({ known: { extendedKeyUsages: usages } }) =>
      when(
        usages && (usages.length === 0 || new Set(usages).size < usages.length),
        'The extended key usages are empty or have a duplicate',
      ),
  },
  {
    id: 'rfc5280.extended_key_usage_consistent',
    source: 'RFC 5280, 4.2.1.12',
    check: ({ known: { extendedKeyUsages = [], keyUsages }, isCa }) => {
      // Usages in a CA certificate restrict the certificates below it.
      if (!keyUsages || isCa) return undefined;
      const wrong = (Object.keys(CONSISTENT) as ExtendedKeyUsage[]).find(
        (usage) =>
          extendedKeyUsages.includes(EXTENDED_KEY_USAGES[usage]) &&
          !CONSISTENT[usage]!.some((needed) => keyUsages.includes(needed)),
      );
      return wrong && `${wrong} needs one of the key usages ${CONSISTENT[wrong]!.join(', ')}`;
    },
  },
  {
    id: 'rfc6960.ocsp_nocheck',
    source: 'RFC 6960, 4.2.2.2.1',
    check: ({ known, isCa }) => {
      const signsAnswers = !isCa && known.extendedKeyUsages?.includes(EXTENDED_KEY_USAGES.ocspSigning);
      return when(known.hasOcspNoCheck && !signsAnswers, 'id-pkix-ocsp-nocheck is only for OCSP responders');
    },
  },
  {
    id: 'rfc3161.time_stamping',
    source: 'RFC 3161, 2.3',
    check: (one) => {
      const usages = one.known.extendedKeyUsages ?? [];
      const isSole = usages.length === 1 && usages[0] === EXTENDED_KEY_USAGES.timeStamping;
      return when(
        isSole && !one.isCa && !isCritical(one, EXTENSIONS.extendedKeyUsage),
        'The extended key usage of a time-stamping certificate is not critical',
      );
    },
  },
  {
    id: 'rfc3161.time_stamping_alone',
    source: 'RFC 3161, 2.3',
    severity: 'warning',
    check: ({ known: { extendedKeyUsages = [] }, isCa }) =>
      when(
        !isCa && extendedKeyUsages.length > 1 && extendedKeyUsages.includes(EXTENDED_KEY_USAGES.timeStamping),
        'A time-stamping certificate should have no other extended key usage',
      ),
  },
];
