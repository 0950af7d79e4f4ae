import { digestOf, ChallengeFailed, type ValidateChallenge } from './challenge.ts';

/** RFC 8555, section 8.4: a TXT record below the name, or below the target of its CNAME. */
export const validateDns: ValidateChallenge = async (ctx, proof) => {
  const name = `_acme-challenge.${proof.name}`;
  const texts = await ctx.names.texts(name).catch((error: unknown) => {
    throw new ChallengeFailed('dns', error);
  });
  if (texts.includes(digestOf(proof).toString('base64url'))) return;
  throw texts.length === 0
    ? new ChallengeFailed('dns', `${name} has no TXT record`)
    : new ChallengeFailed('unauthorized', `${name} has no TXT record with the key authorization`);
};
