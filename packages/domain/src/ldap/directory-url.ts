export const PORTS = { 'ldap:': 389, 'ldaps:': 636 } as const;

/** Whether a text is the address of a directory, and nothing but that. */
export function isDirectoryUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !(url.protocol in PORTS) || !url.hostname) return false;
  // Hosts of other schemes than those of the web are hardly looked at.
  if (!URL.canParse(`https://${url.host}`)) return false;
  return !url.username && !url.password && !/[?#]/.test(text) && ['', '/'].includes(url.pathname);
}
