const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY = /^(?:AKIA|ASIA)[A-Z2-7]{16}$/;

/**
 * A value for the account of an access key, derived from its ID. Current keys contain the account number in bits 1 to
 * 40 after the four letters (https://awsteele.com/blog/2020/09/26/aws-access-key-format.html); for other keys it is the
 * ID. Two keys with the same value belong to the same account.
 */
export function accountOf(accessKeyId: string): string {
  if (!KEY.test(accessKeyId)) return accessKeyId;
  let bits = 0n;
  for (const character of accessKeyId.slice(4, 14)) bits = (bits << 5n) | BigInt(BASE32.indexOf(character));
  // 50 bits: one, 40 of the account, the rest.
  return String((bits >> 9n) & ((1n << 40n) - 1n)).padStart(12, '0');
}
