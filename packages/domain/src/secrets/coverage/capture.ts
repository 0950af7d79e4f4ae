import type { ApprovalPolicy } from '../../access/approval-policy/index.ts';
import type { Outbox } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';

/** Where a secret, folder or import lies. */
export interface Spot {
  readonly environment: string;
  readonly path: string;
}

export type Kind = 'secret' | 'folder' | 'import';
export type Op = 'create' | 'update' | 'delete';

/** One thing that an operation changes, as it is told to those who decide on it. */
export interface CapturedChange {
  readonly kind: Kind;
  readonly op: Op;
  /** Of the secret, folder or import; `null` for one that is made. */
  readonly thingId: string | null;
  /** The version that is replaced or deleted. */
  readonly baseVersion: number | null;
  /** Where it is once this is done; where it was, for what is deleted. */
  readonly spot: Spot;
  /** Of a secret or folder, in the same way. */
  readonly name: string | null;
  readonly tagIds: readonly string[];
  /** It only follows what it refers to. */
  readonly isFollowing: boolean;
  /** The rest of it, as JSON. Two changes are the same where everything but the id of something new is. */
  readonly content: SecretContent | FolderContent | ImportContent;
}

export interface SecretContent {
  readonly before: (Spot & { readonly key: string }) | null;
  readonly after: SecretAfter | null;
}

export interface SecretAfter {
  readonly value: string;
  readonly comment: string;
  readonly metadata: readonly { key: string; value: string; isEncrypted: boolean }[];
  readonly legacyMetadata: Record<string, string> | null;
  readonly skipMultilineEncoding: boolean | null;
  readonly reminderNote: string | null;
  readonly reminderRepeatDays: number | null;
  readonly reminderRecipients: readonly string[] | null;
}

export interface FolderContent {
  readonly before: string;
  /** `null` where it is deleted with everything below it, */
  readonly after: string | null;
  /** which are so many folders, itself among them. */
  readonly folders: number | null;
}

export interface ImportContent {
  readonly before: ImportSide | null;
  readonly after: ImportSide | null;
}

/** What an import brings, and where it stands among the others. */
export interface ImportSide extends Spot {
  readonly position: number;
  readonly isReplication: boolean;
}

/** A folder that is covered, and by what. */
export interface Hit {
  readonly spot: Spot;
  readonly policy: ApprovalPolicy;
}

/** Everything that an operation changes, and what covers it. */
export class Capture {
  readonly changes: CapturedChange[] = [];
  /** One for each policy, in the order in which they were met. */
  readonly hits = new Map<string, Hit>();
  scope: Scope | undefined;

  add(scope: Scope, changes: readonly CapturedChange[], hits: readonly Hit[]): void {
    this.scope ??= scope;
    this.changes.push(...changes);
    for (const hit of hits) if (!this.hits.has(hit.policy.id)) this.hits.set(hit.policy.id, hit);
  }
}

/** Lets everything that is written with this outbox be noted; what is covered is not refused any more. */
export function captureInto(outbox: Outbox): Capture {
  const capture = new Capture();
  outbox.capture = capture;
  return capture;
}

export const captureOf = ({ capture }: Outbox): Capture | undefined =>
  capture instanceof Capture ? capture : undefined;
