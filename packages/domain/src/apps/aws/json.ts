import { z } from 'zod';
import { jsonOf, malformed, wordsOf, type RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';
import { post, type AwsAction } from './call.ts';
import { AwsFault } from './fault.ts';
import { serviceIn, urlOf, type AwsService } from './service.ts';
import type { AwsKeys } from './sign.ts';

/** A page of secrets with their values. */
const MAX_BYTES = 8 * 1024 * 1024;
const TYPE = 'application/x-amz-json-1.1';
/** What the actions of a service are named with. */
const PREFIXES = {
  kms: 'TrentService',
  ssm: 'AmazonSSM',
  secretsmanager: 'secretsmanager',
  acm: 'CertificateManager',
  'acm-pca': 'ACMPrivateCA',
} as const;
/** A service with JSON 1.1, by the name that requests to it are signed for. */
export type AwsJsonService = keyof typeof PREFIXES;

/** Actions with a JSON object, answered by another. */
export type AwsJson = AwsAction<object, Record<string, unknown>>;

/** A client of a service in one region with JSON 1.1, with the given keys. */
export function jsonAws(io: RemoteIo, name: AwsJsonService, region: string, keys: AwsKeys): AwsJson {
  const service = serviceIn(name, region);
  return async (action, input = {}) => {
    const headers = { 'Content-Type': TYPE, 'X-Amz-Target': `${PREFIXES[name]}.${action}` };
    const answer = await post(io, service, keys, { headers, body: JSON.stringify(input), maxBytes: MAX_BYTES });
    const said = jsonOf(answer);
    if (answer.status !== 200) throw faultOf(service, answer, said);
    // Deletions answer nothing.
    if (answer.body.length === 0 && action.startsWith('Delete')) return {};
    if (typeof said !== 'object' || said === null) throw malformed(urlOf(service), 'something other than JSON');
    return said as Record<string, unknown>;
  };
}

/** `com.amazonaws.ssm#ParameterNotFound:http://…` */
const Code = z
  .object({ __type: z.string() })
  .transform(({ __type: type }) => type.split('#').at(-1)!.split(':')[0]!)
  .catch('');

const faultOf = (service: AwsService, answer: OutboundResponse, said: unknown): AwsFault =>
  new AwsFault(service, answer.status, Code.parse(said), wordsOf(answer));
