/**
 * A sealed URL as those see it who may read what it belongs to, and not change it: its scheme and host. The rest of an
 * address, such as that of an incoming webhook, is often all that its target asks for.
 */
export const redactedUrl = (url: string): string => URL.parse(url)?.origin ?? '';
