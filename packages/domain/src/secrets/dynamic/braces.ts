/** Parts of a text in double braces, and what stands between them. Braces that are not closed are in the last part. */
export function splitAtBraces(text: string): string[] {
  const parts: string[] = [];
  for (let at = 0; ;) {
    const open = text.indexOf('{{', at);
    const close = open === -1 ? -1 : text.indexOf('}}', open + 2);
    if (close === -1) return [...parts, text.slice(at)];
    parts.push(text.slice(at, open), text.slice(open, close + 2));
    at = close + 2;
  }
}
