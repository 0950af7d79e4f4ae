import { z } from 'zod';
import { excessOf, OF_REMOTES, type OutboundFetch } from '../../kernel/index.ts';
import { rejectedBy, ambiguousOutcome } from '../../family/index.ts';

export interface Cluster {
  readonly url: string;
  readonly ca?: string | null | undefined;
  readonly clusterToken: string;
}

/** The error of an API server (`Status`). */
export class ClusterFault extends Error {
  readonly status: number;

  constructor(status: number, words: string) {
    super(words);
    this.status = status;
  }
}

/** The verbs and resources of a rule in Kubernetes. */
export interface Right {
  readonly verb: 'create' | 'delete';
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** The provider's operations in a cluster. Failures are `ClusterFault`s, or those of the network. */
export interface ApiServer {
  /** Whether the token has a right; also where the cluster does not let it ask. */
  may(right: Right): Promise<boolean>;
  /** Creates an object at this path (`/api/v1/…`); returns its UID. */
  create(path: string, object: object): Promise<string>;
  /** Deletes an object. Idempotent. */
  remove(path: string): Promise<void>;
  requestToken(path: string, spec: TokenSpec): Promise<GivenToken>;
}

export interface TokenSpec {
  /** Default: those of the API server. */
  readonly audiences?: readonly string[] | undefined;
  readonly expirationSeconds: number;
  /** The token is valid while this object exists. */
  readonly boundObjectRef?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
  };
}

export interface GivenToken {
  readonly token: string;
  /** The cluster may return a shorter lifetime. */
  readonly expirationSeconds: number;
  /** The UID of the bound object. */
  readonly boundTo: string | undefined;
}

const MAX_BYTES = 256 * 1024;
const FORBIDDEN = 403;
const NOT_FOUND = 404;

const Status = z.object({ kind: z.literal('Status'), reason: z.string().optional(), message: z.string().optional() });
const Made = z.object({ metadata: z.object({ uid: z.string().min(1) }) });
const Review = z.object({
  kind: z.literal('SelfSubjectAccessReview'),
  status: z.object({ allowed: z.boolean() }),
});
const Token = z.object({
  kind: z.literal('TokenRequest'),
  spec: z.object({
    expirationSeconds: z.number(),
    boundObjectRef: z.object({ uid: z.string().optional() }).nullish(),
  }),
  status: z.object({ token: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/) }),
});

export function apiServerOf(fetch: OutboundFetch, { url, ca, clusterToken }: Cluster): ApiServer {
  async function ask(method: 'POST' | 'DELETE', path: string, body: object): Promise<unknown> {
    const answer = await fetch(url.replace(/\/+$/, '') + path, {
      method,
      headers: {
        authorization: `Bearer ${clusterToken}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(body),
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      ...(ca && { ca }),
    });
    // 202: the deletion has begun, and the token is invalid from now on.
    if ([200, 201, 202].includes(answer.status)) return answer.json();
    const said = Status.safeParse(parsed(answer.text()));
    const { reason = `status ${answer.status}`, message = '' } = said.data ?? {};
    throw new ClusterFault(answer.status, [reason, message].filter(Boolean).join(': '));
  }

  return {
    async may({ verb, group, resource, subresource, namespace, name }) {
      const resourceAttributes = { verb, group, resource, subresource, namespace, name };
      const review = {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      };
      try {
        return read(Review, await ask('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review)).status
          .allowed;
      } catch (error) {
        if (error instanceof ClusterFault && error.status === FORBIDDEN) return true;
        throw error;
      }
    },
    create: async (path, object) => read(Made, await ask('POST', path, object)).metadata.uid,
    async remove(path) {
      try {
        await ask('DELETE', path, { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' });
      } catch (error) {
        if (!(error instanceof ClusterFault) || error.status !== NOT_FOUND) throw error;
      }
    },
    async requestToken(path, spec) {
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
      const { spec: given, status } = read(Token, await ask('POST', path, request));
      return { token: status.token, expirationSeconds: given.expirationSeconds, boundTo: given.boundObjectRef?.uid };
    },
  };
}

function parsed(text: string): unknown {
  if (excessOf(text, OF_REMOTES)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function read<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { success, data } = schema.safeParse(answer);
  if (!success) throw new Error('The API server returned an unexpected response');
  return data;
}

/** The error for callers. `isMidway`: an earlier step was done, or may have been. */
export const refusal = (host: string, fault: ClusterFault, isMidway: boolean): Error =>
  isMidway || fault.status >= 500 ? ambiguousOutcome(host, fault.message) : rejectedBy(host, fault.message);
