import { setImmediate } from 'node:timers/promises';

/** Bytes per line (RFC 7468, section 2), and lines between two yields. */
const LINE = 48;
const LINES = 4096;

/** A list in PEM, of any length: no other call waits for all of it. */
export async function crlPem(der: Buffer): Promise<Buffer> {
  const parts = [Buffer.from('-----BEGIN X509 CRL-----\n')];
  for (let from = 0; from < der.length; from += LINE * LINES) {
    const end = Math.min(from + LINE * LINES, der.length);
    let text = '';
    for (let at = from; at < end; at += LINE) text += `${der.toString('base64', at, Math.min(at + LINE, end))}\n`;
    parts.push(Buffer.from(text, 'latin1'));
    if (end < der.length) await setImmediate();
  }
  parts.push(Buffer.from('-----END X509 CRL-----\n'));
  return Buffer.concat(parts);
}
