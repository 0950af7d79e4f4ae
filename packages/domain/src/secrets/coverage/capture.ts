import type { ApprovalPolicy } from '../../access/approval-policy/index.ts';
import { badRequest, type Outbox } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';

/** The location of a secret, folder or import. */
export interface Spot {
  readonly environment: string;
  readonly path: string;
}

export type Kind = 'secret' | 'folder' | 'import';
export type Op = 'create' | 'update' | 'delete';

/** One resource that an operation changes, in the form for its approvers. */
export interface CapturedChange {
  readonly kind: Kind;
  readonly op: Op;
  /** The ID of the secret, folder or import; `null` for a new one. */
  readonly thingId: string | null;
  /** The secret that a creation writes: another one in each run, unless a deleted secret returns. `null` for the rest. */
  readonly createdId: string | null;
  /** The version that is replaced or deleted. */
  readonly baseVersion: number | null;
  /** Its location afterwards; the previous one for a deletion. */
  readonly spot: Spot;
  /** Of a secret or folder, in the same way. */
  readonly name: string | null;
  readonly tagIds: readonly string[];
  /** Only its references are rewritten. */
  readonly isFollowing: boolean;
  /** The rest of it, as JSON. Two changes are the same where everything but `createdId` is. */
  readonly content: SecretContent | FolderContent | ImportContent;
}

export interface SecretContent {
  readonly before: (Spot & { readonly key: string }) | null;
  readonly after: SecretAfter | null;
}

/** What a version of a secret has besides its value, comment, metadata and tags. */
export interface SecretAttributes {
  readonly legacyMetadata: Record<string, string> | null;
  readonly skipMultilineEncoding: boolean | null;
  readonly reminderNote: string | null;
  readonly reminderRepeatDays: number | null;
  readonly reminderRecipients: readonly string[] | null;
}

export interface SecretAfter extends SecretAttributes {
  readonly value: string;
  readonly comment: string;
  readonly metadata: readonly { key: string; value: string; isEncrypted: boolean }[];
}

export interface FolderContent {
  readonly before: string;
  /** `null` if it is deleted with everything below it, */
  readonly after: string | null;
  /** which are so many folders, itself among them. */
  readonly folders: number | null;
}

export interface ImportContent {
  readonly before: ImportSide | null;
  readonly after: ImportSide | null;
}

/** The source of an import, and its position. */
export interface ImportSide extends Spot {
  readonly position: number;
  readonly isReplication: boolean;
}

/** A folder that is covered, and by what. */
export interface Hit {
  readonly spot: Spot;
  readonly policy: ApprovalPolicy;
}

/** A folder of which secrets are copied or moved elsewhere, and how many. */
export interface SourceRead {
  readonly environment: string;
  readonly secretPath: string;
  readonly numberOfSecrets: number;
}

/** The clear size of the values and comments in a change. */
export const sizeOfChange = ({ content: { after } }: CapturedChange): number =>
  after !== null && typeof after === 'object' && 'value' in after ? after.value.length + after.comment.length : 0;

/** The maximum of all changes of one operation: they are held until they are stored. */
const MAX_CAPTURED = 64 * 1024 * 1024;

/** Everything that an operation changes, and what covers it. */
export class Capture {
  readonly changes: CapturedChange[] = [];
  /** One for each policy, in order of occurrence. */
  readonly hits = new Map<string, Hit>();
  /** The sources of what is copied or moved: the request has their values. */
  reads: readonly SourceRead[] = [];
  scope: Scope | undefined;

  #size = 0;

  /** @throws DomainError 400 `secret_approval.too_large`. */
  add(scope: Scope, changes: readonly CapturedChange[], hits: readonly Hit[]): void {
    this.scope ??= scope;
    for (const change of changes) {
      this.changes.push(change);
      this.#size += sizeOfChange(change);
    }
    if (this.#size > MAX_CAPTURED)
      throw badRequest(
        'secret_approval.too_large',
        `A change request can have at most ${MAX_CAPTURED / 1024 / 1024} MiB of values: request fewer secrets at a time`,
      );
    for (const hit of hits) if (!this.hits.has(hit.policy.id)) this.hits.set(hit.policy.id, hit);
  }
}

/** Captures all writes with this outbox; covered ones are then no longer refused. */
export function captureInto(outbox: Outbox): Capture {
  const capture = new Capture();
  outbox.capture = capture;
  return capture;
}

export const captureOf = ({ capture }: Outbox): Capture | undefined =>
  capture instanceof Capture ? capture : undefined;
