import { readAddress } from '../../kernel/index.ts';
import { isHostLabel, isHostName, readAltName, type AltName } from '../x509.ts';

/** The names of a certificate. */
interface Named {
  readonly commonName: string;
  readonly names: readonly AltName[];
}

/**
 * The same certificate as clients read it: they compare names without regard to case, and where it has no DNS name, many
 * take the common name for the host, also beside addresses.
 */
export function asCompared<Facts extends Named>(facts: Facts): Facts {
  const names = facts.names.map((name) => ({ ...name, value: compared(name) }));
  const named = namedBeside(facts);
  return { ...facts, commonName: hostIn(facts.commonName), names: named ? [...names, named] : names };
}

/**
 * The host that the common name of a certificate is for, which no alternative name says. One of one label is not among
 * these: it may be any other name.
 */
export function hostBeside(facts: Named): AltName | undefined {
  const named = namedBeside(facts);
  if (named?.type === 'ip') return facts.names.some(({ type }) => type === 'ip') ? undefined : named;
  return named && isHostName(named.value) ? named : undefined;
}

/** What clients take the common name for. */
const namedBeside = ({ commonName, names }: Named): AltName | undefined =>
  names.some(({ type }) => type === 'dns') ? undefined : namedBy(hostIn(commonName));

/** Whether clients read something else than what is written. */
export const isReadOtherwise = (facts: Named, read: Named): boolean =>
  facts.commonName !== read.commonName ||
  facts.names.length !== read.names.length ||
  facts.names.some(({ value }, index) => value !== read.names[index]!.value);

/** A common name; one that is the name of a host, in the form of these. */
function hostIn(commonName: string): string {
  const text = commonName.trim().toLowerCase();
  return isHostName(text) ? text.replace(/\.$/, '') : text;
}

function namedBy(commonName: string): AltName | undefined {
  if (readAddress(commonName)) return readAltName('ip', commonName);
  return isHostName(commonName) || isHostLabel(commonName) ? { type: 'dns', value: commonName } : undefined;
}

/** What was imported may have names in other forms than those that are issued here. */
function compared({ type, value }: AltName): string {
  if (type !== 'uri') return value.toLowerCase().replace(/\.$/, '');
  try {
    return readAltName(type, value).value;
  } catch {
    return value;
  }
}
