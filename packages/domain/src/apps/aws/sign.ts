import aws4 from 'aws4';
import type { AwsService } from './service.ts';

export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string;
}

export interface ToSign {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Default: `POST`. */
  readonly method?: string;
  /** With the query; default: `/`. */
  readonly path?: string;
}

/** The headers of a request, signed by Signature Version 4. */
export function sign(
  { name, host, region }: AwsService,
  keys: AwsKeys,
  request: ToSign,
  now: Date,
): Record<string, string> {
  const headers = { ...request.headers, 'X-Amz-Date': now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '') };
  const { headers: signed = {} } = aws4.sign(
    { host, path: '/', service: name, region, method: 'POST', ...request, headers },
    { ...keys },
  );
  return Object.fromEntries(Object.entries(signed).map(([header, value]) => [header, String(value)]));
}
