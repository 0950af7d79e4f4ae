/**
 * Node's crypto, where there is Node. Schemas reach it by this alone: in a browser there is none, and a check that needs it is
 * left to the server.
 */
export const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto');
