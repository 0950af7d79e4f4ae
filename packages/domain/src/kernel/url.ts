/**
 * The visible part of a sealed URL for readers who may not change it: scheme and host. The rest, for example of an
 * incoming webhook, is often its only credential.
 */
export const redactedUrl = (url: string): string => URL.parse(url)?.origin ?? '';
