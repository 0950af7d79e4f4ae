// RSA moduli that are known to be bad, found without factoring them.

const SMALL_PRIMES: readonly number[] = primesBelow(752);
const SMALL_PRODUCT = SMALL_PRIMES.reduce((product, prime) => product * BigInt(prime), 1n);

/**
 * The fingerprint of CVE-2017-15361 (ROCA; Nemec et al., «The Return of Coppersmith's Attack», 2017, section 3): modulo
 * each of these primes, such moduli are powers of 65537. The false positive rate is one in 2^27.
 */
const ROCA_PRIMES = SMALL_PRIMES.filter((prime) => prime > 2 && prime <= 167);
let powers: ReadonlyMap<number, ReadonlySet<number>> | undefined;

/** Close primes (CVE-2022-26320) are found in a few rounds; the Baseline Requirements ask for a hundred (6.1.6). */
const FERMAT_ROUNDS = 100;

/** Even, divisible by a small prime, made by ROCA's generator, or of two primes that are close to each other. */
export function isWeakModulus(modulus: bigint): boolean {
  return greatestCommonDivisor(modulus, SMALL_PRODUCT) !== 1n || isRoca(modulus) || hasClosePrimes(modulus);
}

function isRoca(modulus: bigint): boolean {
  powers ??= new Map(ROCA_PRIMES.map((prime) => [prime, powersOf(65_537 % prime, prime)]));
  return ROCA_PRIMES.every((prime) => powers!.get(prime)!.has(Number(modulus % BigInt(prime))));
}

function powersOf(base: number, prime: number): Set<number> {
  const found = new Set<number>();
  for (let power = 1; !found.has(power); power = (power * base) % prime) found.add(power);
  return found;
}

function hasClosePrimes(modulus: bigint): boolean {
  const root = squareRoot(modulus);
  let a = root * root === modulus ? root : root + 1n;
  for (let round = 0; round < FERMAT_ROUNDS; round++, a++) {
    const square = a * a - modulus;
    if (mayBeSquare(square)) {
      const b = squareRoot(square);
      if (b * b === square) return true;
    }
  }
  return false;
}

/** Modulo each of these, few numbers are squares. */
const RESIDUES = [64, 63, 65, 11, 17].map((modulus) => {
  const squares = new Set(Array.from({ length: modulus }, (_, i) => (i * i) % modulus));
  return [BigInt(modulus), squares] as const;
});
const mayBeSquare = (value: bigint) => RESIDUES.every(([modulus, squares]) => squares.has(Number(value % modulus)));

/** Newton's method from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(16).length / 2) * 4);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b) [a, b] = [b, a % b];
  return a;
}

function primesBelow(limit: number): number[] {
  const primes: number[] = [];
  for (let n = 2; n < limit; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}
