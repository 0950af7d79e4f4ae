import { hash } from 'node:crypto';

/** A strong `ETag` of some content (RFC 9110, section 8.8.3). */
export const etagOf = (content: string | Buffer): string => `"${hash('sha256', content, 'base64url')}"`;
