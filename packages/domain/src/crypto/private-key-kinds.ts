import { MAX_RSA_BITS } from '@coffer/x509/key-limits';

/** The kinds of private keys that are read, for messages to callers. */
export const PRIVATE_KEY_KINDS = `RSA of up to ${MAX_RSA_BITS} bits, P-256, P-384, P-521 or Ed25519`;

/** The maximum RSA modulus in bits where a library signs on the event loop. */
export const MAX_RSA_BITS_IN_TURN = 4096;
