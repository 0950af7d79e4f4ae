import { DomainError, type ErrorKind } from '../../kernel/index.ts';

/** The used types of RFC 8555, section 6.7, and RFC 9773, section 7.4, with their statuses. */
const TYPES = {
  accountDoesNotExist: 400,
  alreadyReplaced: 409,
  alreadyRevoked: 400,
  badCSR: 400,
  badNonce: 400,
  badPublicKey: 400,
  badRevocationReason: 400,
  badSignatureAlgorithm: 400,
  compound: 400,
  connection: 400,
  dns: 400,
  externalAccountRequired: 403,
  incorrectResponse: 403,
  invalidContact: 400,
  malformed: 400,
  orderNotReady: 403,
  rateLimited: 429,
  rejectedIdentifier: 400,
  serverInternal: 500,
  tls: 400,
  unauthorized: 403,
  unsupportedContact: 400,
  unsupportedIdentifier: 400,
} as const;
export type ProblemType = keyof typeof TYPES;

const PREFIX = 'urn:ietf:params:acme:error:';

/** The types that say something of a credential or a right. */
const REFUSALS: ReadonlySet<ProblemType> = new Set([
  'accountDoesNotExist',
  'badSignatureAlgorithm',
  'externalAccountRequired',
  'unauthorized',
]);

/** What is recorded of a problem that says something of a credential or a right: nothing that a stranger typed. */
export interface AcmeRefusal {
  /** Default: the type of the problem. */
  readonly reason?: string;
  /** The account that the message names. */
  readonly accountId?: string | undefined;
  /** Whether it refuses what binds an account to its profile. Default: another credential. */
  readonly isBinding?: boolean;
}

/** A problem document (RFC 7807), as it is returned and stored. */
export interface ProblemDocument {
  readonly type: string;
  readonly detail: string;
  readonly status: number;
  readonly identifier?: { readonly type: string; readonly value: string };
  readonly algorithms?: readonly string[];
  readonly subproblems?: readonly Subproblem[];
}

/** The fault of one of several names (RFC 8555, section 6.7.1). */
export type Subproblem = Omit<ProblemDocument, 'status'>;

export interface ProblemOptions {
  readonly status?: number;
  readonly algorithms?: readonly string[];
  readonly subproblems?: ProblemDocument['subproblems'];
  /** What the problem's answer leads to, such as the account that has a key already. */
  readonly location?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  /** Makes it a refusal also if its type does not say so. */
  readonly refusal?: AcmeRefusal;
}

/** A problem of the protocol, with the default status of its type. */
export const problemDocument = (
  type: ProblemType,
  detail: string,
  { status = TYPES[type], algorithms, subproblems }: ProblemOptions = {},
): ProblemDocument => ({
  type: PREFIX + type,
  detail,
  status,
  ...(algorithms && { algorithms }),
  ...(subproblems && { subproblems }),
});

export function subproblem(type: ProblemType, detail: string, identifier: { type: string; value: string }): Subproblem {
  const { status: _, ...document } = problemDocument(type, detail);
  return { ...document, identifier };
}

/** A problem document for ACME clients; apart from that, an error like any other. */
export class AcmeProblem extends DomainError {
  readonly document: ProblemDocument;
  readonly location: string | undefined;
  /** For the audit log, never answered. Absent where it says nothing of a credential or a right, such as `badNonce`. */
  readonly refusal: (AcmeRefusal & { readonly reason: string }) | undefined;

  constructor(type: ProblemType, detail: string, options: ProblemOptions = {}) {
    const document = problemDocument(type, detail, options);
    super(kindOf(document.status), `acme.${type}`, detail, {
      ...(options.retryAfter !== undefined && { retryAfter: options.retryAfter }),
    });
    this.document = document;
    this.location = options.location;
    this.refusal =
      options.refusal || REFUSALS.has(type)
        ? { ...options.refusal, reason: options.refusal?.reason ?? type }
        : undefined;
  }
}

export const problem = (type: ProblemType, detail: string, options?: ProblemOptions) =>
  new AcmeProblem(type, detail, options);

/** RFC 8555, section 6.2. */
export const unsupportedMessage = () =>
  problem('malformed', 'Send the message as application/jose+json', { status: 415 });

/** RFC 8555, section 6.3. */
export const wrongMethod = () => problem('malformed', 'Use POST; to read, send an empty payload', { status: 405 });

/** Unknown and foreign resources get the same answer. */
export const noSuch = (thing: string) => problem('malformed', `There is no such ${thing}`, { status: 404 });

function kindOf(status: number): ErrorKind {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  return 'bad_request';
}

/** By the kind of what was thrown elsewhere. */
const OTHERS: { readonly [Kind in ErrorKind]: readonly [type: ProblemType, status: number] } = {
  bad_request: ['malformed', 400],
  conflict: ['malformed', 409],
  outdated: ['malformed', 409],
  invalid: ['malformed', 400],
  not_found: ['malformed', 404],
  too_large: ['malformed', 413],
  misdirected: ['malformed', 421],
  unsupported_media_type: ['malformed', 415],
  unauthenticated: ['unauthorized', 401],
  forbidden: ['unauthorized', 403],
  rate_limited: ['rateLimited', 429],
  unavailable: ['serverInternal', 503],
};

/** Any error as a problem; internal errors are not described. */
export function problemOf(error: unknown): ProblemDocument {
  if (error instanceof AcmeProblem) return error.document;
  if (!(error instanceof DomainError)) return problemDocument('serverInternal', 'Internal server error');
  const [type, status] = OTHERS[error.kind];
  return problemDocument(type, error.message, { status });
}
