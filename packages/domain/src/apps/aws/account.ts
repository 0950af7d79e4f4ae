const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY = /^(?:AKIA|ASIA)[A-Z2-7]{16}$/;

/**
 * What stands for the account that an access key is of, from its id alone. Keys of today hold the account's number in
 * bits 1 to 40 behind the four letters (https://awsteele.com/blog/2020/09/26/aws-access-key-format.html); of others, each
 * stands for itself. Two keys for which this is the same are of one account.
 */
export function accountOf(accessKeyId: string): string {
  if (!KEY.test(accessKeyId)) return accessKeyId;
  let bits = 0n;
  for (const character of accessKeyId.slice(4, 14)) bits = (bits << 5n) | BigInt(BASE32.indexOf(character));
  // 50 bits: one, then 40 of the account, then others.
  return String((bits >> 9n) & ((1n << 40n) - 1n)).padStart(12, '0');
}
