import type {
  Attempts,
  Context,
  FindKeys,
  KeySets,
  OutboundConnect,
  OutboundFetch,
  OutboundNames,
  Targets,
} from '@coffer/domain';

/** Who is told that a call waits for another system; see `Http`. */
export interface Waits {
  /** `isLong`: others get the place of the call at once. */
  beginWait(isLong?: boolean): void;
  endWait(): void;
}

export async function waitFor<T>(waits: Waits, work: () => Promise<T>, isLong?: boolean): Promise<T> {
  waits.beginWait(isLong);
  try {
    return await work();
  } finally {
    waits.endWait();
  }
}

export const waitingFetch =
  (waits: Waits, fetch: OutboundFetch): OutboundFetch =>
  (...request) =>
    waitFor(waits, () => fetch(...request));

/** What is said on a connection is waited for by whoever opened it: until the end of the call. */
export const waitingConnect =
  (waits: Waits, connect: OutboundConnect): OutboundConnect =>
  (target) => {
    waits.beginWait();
    return connect(target);
  };

export const waitingNames = (waits: Waits, names: OutboundNames): OutboundNames => ({
  addresses: (name) => waitFor(waits, () => names.addresses(name)),
  texts: (name) => waitFor(waits, () => names.texts(name)),
});

export function waitingKeySets(waits: Waits, keySets: KeySets): KeySets {
  const waiting =
    (find: FindKeys): FindKeys =>
    (header) =>
      waitFor(waits, () => find(header));
  return {
    keysAt: (...where) => waiting(keySets.keysAt(...where)),
    certificatesAt: (...where) => waiting(keySets.certificatesAt(...where)),
    keysOf: (...where) => waiting(keySets.keysOf(...where)),
  };
}

export const waitingTargets = (waits: Waits, targets: Targets): Targets => ({
  run: (...call) => waitFor(waits, () => targets.run(...call)),
  usePooled: (...call) => targets.usePooled(...call),
  owners: targets.owners,
  inBackground: (work) => targets.inBackground(work),
  get underWay() {
    return targets.underWay;
  },
});

/** Passwords are hashed by other threads, and few at a time: neither the turn nor the hashing holds a place. */
export const waitingPasswords = (waits: Waits, turns: Context['passwordTurns']): Context['passwordTurns'] => ({
  run: (whose, hash) => waitFor(waits, () => turns.run(whose, hash), true),
});

/** Only the turn is waited for. */
export const waitingAttempts = (waits: Waits, attempts: Attempts): Attempts => ({
  run: async (key, work) => {
    let isOver = false;
    const endWait = () => {
      if (!isOver) waits.endWait();
      isOver = true;
    };
    waits.beginWait();
    try {
      return await attempts.run(key, () => {
        endWait();
        return work();
      });
    } finally {
      endWait();
    }
  },
});
