/** How often a request has a header, named in lower case: of some, Node keeps only the first. */
export function timesIn(rawHeaders: readonly string[], header: string): number {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === header.length && name.toLowerCase() === header) times++;
  }
  return times;
}
