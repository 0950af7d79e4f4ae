export * from './acme.ts';
export * from './answer.ts';
export { AcmeEabSecret, RevealAcmeEabSecret, revealAcmeEabSecret } from './eab.ts';
export { acmeCleanup, removeOverAcme } from './cleanup.ts';
export type { AcmeRequest } from './message.ts';
export { newNonce } from './nonce.ts';
export { AcmeProblem, noSuch, problemOf, unsupportedMessage, wrongMethod } from './problem.ts';
export { acmeProfile, findAcmeProfile, type AcmeProfile } from './profile.ts';
export { validateChallenge, validateJob } from './validate/job.ts';
