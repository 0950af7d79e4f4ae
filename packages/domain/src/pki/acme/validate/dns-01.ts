import { digestOf, Unproved, type Prove } from './challenge.ts';

/** RFC 8555, section 8.4: the proof is a text below the name; where that name stands for another one, there. */
export const proveDns: Prove = async (ctx, proof) => {
  const name = `_acme-challenge.${proof.name}`;
  const texts = await ctx.names.texts(name).catch((error: unknown) => {
    throw new Unproved('dns', error);
  });
  if (texts.includes(digestOf(proof).toString('base64url'))) return;
  throw texts.length === 0
    ? new Unproved('dns', `${name} has no TXT record`)
    : new Unproved('unauthorized', `${name} has no TXT record with the proof`);
};
