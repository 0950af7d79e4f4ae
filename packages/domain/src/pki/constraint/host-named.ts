import { readAddress } from '../../kernel/index.ts';
import { isHostLabel, isHostName, readAltName, type AltName } from '../x509.ts';

/**
 * The host that clients take a common name for, in the form in which they compare it: without regard to case, and some
 * without the dot at its end. One of one label may be any other name, too: `isHostName` tells.
 */
export function hostNamedBy(commonName: string): AltName | undefined {
  const text = commonName.trim().toLowerCase().replace(/\.$/, '');
  if (readAddress(text)) return readAltName('ip', text);
  return isHostName(text) || isHostLabel(text) ? { type: 'dns', value: text } : undefined;
}

/**
 * The same of a certificate with alternative names: its common name does not count where one of them is a DNS name, nor does an
 * address beside others.
 */
export function hostBeside(commonName: string, names: readonly AltName[]): AltName | undefined {
  const named = hostNamedBy(commonName);
  return names.some(({ type }) => type === 'dns' || type === named?.type) ? undefined : named;
}
