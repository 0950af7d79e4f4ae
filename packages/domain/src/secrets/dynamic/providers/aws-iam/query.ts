import { setTimeout as sleep } from 'node:timers/promises';
import aws4 from 'aws4';
import type { OutboundResponse } from '../../../../kernel/index.ts';
import type { ProviderIo } from '../../provider.ts';
import { rejectedBy, ambiguousOutcome } from '../../../../family/index.ts';
import { at, readXml, type XmlElement } from './xml.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary ones. */
  readonly sessionToken?: string;
}

/** A service that speaks AWS's query protocol, and the region for which its requests are signed. */
export interface AwsService {
  readonly name: 'iam' | 'sts';
  readonly host: string;
  readonly region: string;
  readonly version: string;
}

/** IAM has one address in each partition of AWS, STS one in each region. */
export function servicesOf(region: string): { iam: AwsService; sts: AwsService } {
  const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const sts = { name: 'sts', host: `sts.${region}.${suffix}`, region, version: '2011-06-15' } as const;
  const iam = { name: 'iam', version: '2010-05-08' } as const;
  if (region.startsWith('cn-'))
    return { sts, iam: { ...iam, host: 'iam.cn-north-1.amazonaws.com.cn', region: 'cn-north-1' } };
  if (region.startsWith('us-gov-'))
    return { sts, iam: { ...iam, host: 'iam.us-gov.amazonaws.com', region: 'us-gov-west-1' } };
  return { sts, iam: { ...iam, host: 'iam.amazonaws.com', region: 'us-east-1' } };
}

/** What AWS says against a call. */
export class AwsFault extends Error {
  /** `NoSuchEntity`, `AccessDenied`, … */
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, words: string) {
    super(words);
    this.code = code;
    this.status = status;
  }
}

/** Asks for one action; answers its result. @throws AwsFault, DomainError `outbound.*`, Error for an answer that is none */
export type AwsCall = (
  action: string,
  parameters?: Readonly<Record<string, string | undefined>>,
) => Promise<XmlElement>;

const MAX_BYTES = 512 * 1024;
/** Milliseconds before the first of the further tries. */
const PAUSE = 250;
const TRIES = 6;
/** AWS did nothing: it is asked too often, or about something that somebody else changes at the moment. */
const NOT_NOW =
  /^(?:Throttling|ThrottlingException|ThrottledException|RequestThrottled|RequestLimitExceeded|TooManyRequestsException|ConcurrentModification|ConcurrentModificationException)$/;

/**
 * A way to one service, as whoever has the keys. What AWS puts off is tried again, within the time of the call.
 * `isPassing` says which other faults pass: IAM may not know yet what it has just made.
 */
export const awsCalls =
  (
    io: ProviderIo,
    service: AwsService,
    keys: AwsKeys,
    isPassing: (fault: AwsFault) => boolean = () => false,
  ): AwsCall =>
  async (action, parameters = {}) => {
    for (let tries = 1; ; tries++) {
      try {
        return await callOnce(io, service, keys, action, parameters);
      } catch (error) {
        const canPass = error instanceof AwsFault && (NOT_NOW.test(error.code) || isPassing(error));
        if (!canPass || tries === TRIES) throw error;
        await sleep(PAUSE * 2 ** (tries - 1) * (0.5 + Math.random() / 2), undefined, { signal: io.signal });
      }
    }
  };

async function callOnce(
  io: ProviderIo,
  service: AwsService,
  keys: AwsKeys,
  action: string,
  parameters: Readonly<Record<string, string | undefined>>,
): Promise<XmlElement> {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const body = new URLSearchParams([['Action', action], ['Version', service.version], ...given]).toString();
  const answer = await io.fetch(`https://${service.host}/`, {
    method: 'POST',
    headers: sign(service, keys, body, io.now),
    body,
    maxBytes: MAX_BYTES,
    maxRedirects: 0,
  });
  const root = documentOf(answer);
  if (answer.status !== 200) throw faultOf(answer, root);
  if (root?.name !== `${action}Response`) throw new Error(`AWS answered ${action} with something else`);
  return at(root, `${action}Result`) ?? { name: `${action}Result`, children: [], text: '' };
}

/** The headers of a request, signed by Signature Version 4. */
export function sign(service: AwsService, keys: AwsKeys, body: string, now: Date): Record<string, string> {
  const { name, host, region } = service;
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
    'X-Amz-Date': now.toISOString().replaceAll(/[-:]|\.\d{3}/g, ''),
  };
  const signed = aws4.sign({ host, path: '/', service: name, region, method: 'POST', headers, body }, { ...keys });
  return Object.fromEntries(Object.entries(signed.headers ?? {}).map(([header, value]) => [header, String(value)]));
}

function documentOf(answer: OutboundResponse): XmlElement | undefined {
  try {
    return readXml(answer.text());
  } catch (error) {
    if (answer.status === 200) throw error;
    return undefined;
  }
}

function faultOf({ status }: OutboundResponse, root: XmlElement | undefined): AwsFault {
  const error = at(root, 'Error');
  const code = at(error, 'Code')?.text ?? '';
  const message = at(error, 'Message')?.text ?? '';
  return new AwsFault(code, status, [code || `status ${status}`, message].filter(Boolean).join(': '));
}

/** As callers are told. `isMidway`: something was done before, or may have been. */
export const refusal = (host: string, fault: AwsFault, isMidway: boolean): Error =>
  isMidway || fault.status >= 500 ? ambiguousOutcome(host, fault.message) : rejectedBy(host, fault.message);
