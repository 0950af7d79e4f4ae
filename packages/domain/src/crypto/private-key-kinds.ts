import { MAX_RSA_BITS } from '@coffer/x509/key-limits';

/** The kinds of private keys that are read, for messages to callers. */
export const PRIVATE_KEY_KINDS = `RSA of up to ${MAX_RSA_BITS} bits, P-256, P-384, P-521 or Ed25519`;
