import { hostNamedBy } from '../constraint/index.ts';
import { isHostName, readAltName, type AltName } from '../x509.ts';

/** The names of a certificate. */
interface Named {
  readonly commonName: string;
  readonly names: readonly AltName[];
  /** Absent before it is issued. */
  readonly serialNumber?: string | undefined;
}

/**
 * The same certificate as clients read it: they compare names without regard to case, and where it has no DNS name, many
 * take the common name for the host, also beside addresses. One of one label counts for what is to be issued, not for what
 * there is: it may be any other name.
 */
export function asCompared<Facts extends Named>(facts: Facts): Facts {
  const names = facts.names.map((name) => ({ ...name, value: compared(name) }));
  const named = hostNamedBy(facts.commonName);
  const commonName = named?.value ?? facts.commonName.trim().toLowerCase();
  const isHost = named?.type === 'ip' || isHostName(commonName) || facts.serialNumber === undefined;
  const isRead = named && isHost && !names.some(({ type }) => type === 'dns');
  return { ...facts, commonName, names: isRead ? [...names, named] : names };
}

/** Whether clients read something else than what is written. */
export const isReadOtherwise = (facts: Named, read: Named): boolean =>
  facts.commonName !== read.commonName ||
  facts.names.length !== read.names.length ||
  facts.names.some(({ value }, index) => value !== read.names[index]!.value);

/** What was imported may have names in other forms than those that are issued here. */
function compared({ type, value }: AltName): string {
  if (type !== 'uri') return value.toLowerCase().replace(/\.$/, '');
  try {
    return readAltName(type, value).value;
  } catch {
    return value;
  }
}
