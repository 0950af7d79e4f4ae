/**
 * Node's crypto, if available. Schemas access it only through this: browsers do not have it, and skip the checks that
 * need it.
 */
export const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto');
