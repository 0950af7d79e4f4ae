import { z } from 'zod';

/**
 * The visible part of a sealed URL for readers who may not change it: scheme and host. The rest, for example of an
 * incoming webhook, is often its only credential.
 */
export const redactedUrl = (url: string): string => URL.parse(url)?.origin ?? '';

/** The URL of somebody else's server that Coffer calls: HTTP, without a user name and password. */
export const CallbackUrl = z
  .url({ protocol: /^https?$/, normalize: true })
  .max(2048, { abort: true })
  .refine((url) => {
    const read = URL.parse(url);
    return read === null || (read.username === '' && read.password === '');
  }, 'URLs with a user name or password are not supported');

/** A URL without the slashes at its end, in linear time. */
export function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end--;
  return url.slice(0, end);
}
