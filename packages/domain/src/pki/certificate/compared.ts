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
  const commonName = hostIn(facts.commonName);
  const names = facts.names.map((name) => ({ ...name, value: compared(name) }));
  const named = names.some(({ type }) => type === 'dns') ? undefined : namedBy(commonName);
  return { ...facts, commonName, names: named ? [...names, named] : names };
}

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
