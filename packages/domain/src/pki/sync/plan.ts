import type { Found } from './destination.ts';

/** A certificate that is to be at the destination. */
export interface Wanted {
  readonly certificateId: string;
  /** The certificate that was first, of which this one is a renewal; itself otherwise. */
  readonly lineId: string;
  readonly fingerprint: string;
  /** A hash of everything that is written with it. */
  readonly content: string;
}

/** What a sync has written at its destination, or may have. */
export interface Item {
  readonly name: string;
  readonly certificateId: string;
  readonly lineId: string;
  readonly reference: string | null;
  /** Of the certificate that is certainly there. */
  readonly fingerprint: string | null;
  /** Of one that may be. */
  readonly nextFingerprint: string | null;
  readonly content: string | null;
  readonly mark: unknown;
}

export interface Put<Certificate extends Wanted> {
  readonly name: string;
  readonly reference: string | null;
  readonly certificate: Certificate;
  /** The fingerprint of what the sync has certainly written there before. */
  readonly present: string | null;
}

/** Something of a sync's that is at the destination. */
export interface Present {
  readonly item: Item;
  readonly reference: string;
}

export interface Plan<Certificate extends Wanted> {
  readonly puts: readonly Put<Certificate>[];
  readonly removals: readonly Present[];
  /** What is no longer there, or was replaced by others. */
  readonly dropped: readonly Item[];
  /** The wanted certificates that are there as they should be. */
  readonly upToDate: readonly Certificate[];
  /** The names that others have taken, by certificate. */
  readonly taken: ReadonlyMap<string, string>;
}

interface Compared<Certificate extends Wanted> {
  readonly wanted: readonly Certificate[];
  /** Certificates that cannot be written now: what is there of them stays. */
  readonly kept: ReadonlySet<string>;
  readonly items: readonly Item[];
  readonly found: ReadonlyMap<string, Found>;
  /** Whether a renewed certificate takes the place of the one before. */
  readonly replaces: boolean;
  /** Whether a certificate is written again where only what is written with it differs. */
  readonly updates: boolean;
  readonly mayRemove: boolean;
  readonly nameOf: (certificateId: string) => string;
}

/** What the items and certificates that belong together have in common. */
export const keyOf = (replaces: boolean, { certificateId, lineId }: Pick<Wanted, 'certificateId' | 'lineId'>): string =>
  replaces ? lineId : certificateId;

/** The item of each certificate: of its line, if renewals replace. */
export const itemsByKey = (items: readonly Item[], replaces: boolean): Map<string, Item> =>
  new Map(items.map((item) => [keyOf(replaces, item), item]));

/**
 * The changes to make at a destination. Only what the sync has written is replaced or removed: an item under the name of a
 * certificate that somebody else has put there stays, and so does what has replaced a certificate since.
 */
export function plan<Certificate extends Wanted>(compared: Compared<Certificate>): Plan<Certificate> {
  const { wanted, kept, items, found, replaces, updates, mayRemove, nameOf } = compared;
  const itemOf = itemsByKey(items, replaces);
  const puts: Put<Certificate>[] = [];
  const upToDate: Certificate[] = [];
  const taken = new Map<string, string>();
  for (const certificate of wanted) {
    const item = itemOf.get(keyOf(replaces, certificate));
    const name = item?.name ?? nameOf(certificate.certificateId);
    const there = found.get(name);
    if (there && !isOwn(item, there)) taken.set(certificate.certificateId, name);
    else if (item && there && isSame(item, certificate, there, updates)) upToDate.push(certificate);
    else puts.push({ name, reference: there?.reference ?? null, certificate, present: presentOf(item, there) });
  }
  const used = new Set(wanted.map((one) => keyOf(replaces, one)));
  const unused = items.filter((item) => !used.has(keyOf(replaces, item)) && !kept.has(keyOf(replaces, item)));
  const removals: Present[] = [];
  const dropped: Item[] = [];
  for (const item of mayRemove ? unused : []) {
    const there = found.get(item.name);
    if (there && isWritten(item, there)) removals.push({ item, reference: there.reference });
    else dropped.push(item);
  }
  return { puts, removals, dropped, upToDate, taken };
}

/**
 * Whether what is in the slot of an item may be overwritten. Where the sync has only intended to write, and another
 * certificate is there than that, others have put it there since.
 */
const isOwn = (item: Item | undefined, there: Found): boolean =>
  there.isOurs === true || (item !== undefined && (item.fingerprint !== null || isWritten(item, there)));

/** What was written without its answer being known is certain once it is found, before something else is intended. */
const presentOf = (item: Item | undefined, there: Found | undefined): string | null =>
  (item && there && isWritten(item, there) ? there.fingerprint : undefined) ?? item?.fingerprint ?? null;

const isSame = (item: Item, { fingerprint, content }: Wanted, there: Found, updates: boolean): boolean =>
  item.fingerprint === fingerprint &&
  item.nextFingerprint === null &&
  (item.content === content || !updates) &&
  (there.fingerprint === undefined || there.fingerprint === fingerprint);

/** Whether what is there is what the sync has written. */
const isWritten = ({ fingerprint, nextFingerprint }: Item, there: Found): boolean =>
  there.fingerprint === undefined || there.fingerprint === fingerprint || there.fingerprint === nextFingerprint;
